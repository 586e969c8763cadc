export const transcript = {
  image: 'image',
}
