// Why a scenario fails, by its name, or by suite and name.
const noUser = 'it signs in a program that has no user; Fairlead has one'
const extension = 'it tests an extension of the protocol that Fairlead does not use'

export const expected = {
  'auth/basic-cimd':
    'a client id that is an address needs a page of the project on the web; Fairlead registers itself, which the suite takes for a warning',
  '2025-11-25 auth/2025-03-26-oauth-metadata-backcompat':
    'its server names another issuer than the address that it is asked at (RFC 8414 has that refused); the newer suite names the right one',
  'auth/client-credentials-jwt': noUser,
  'auth/client-credentials-basic': noUser,
  'auth/cross-app-access-complete-flow': extension,
  'auth/enterprise-managed-authorization': extension,
  'auth/dpop': extension,
  'auth/dpop-nonce': extension,
  'auth/wif-jwt-bearer': noUser,
}
