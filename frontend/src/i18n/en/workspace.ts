export const workspace = {}
