export const shell = {
  seconds: '{n} s',
}
