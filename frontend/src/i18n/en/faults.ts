export const faults = {}
