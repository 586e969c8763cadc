export const confirm = {}
