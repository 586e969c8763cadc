export const ends = {}
