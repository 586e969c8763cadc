/** Words that depend on a count; the parameter `n` decides. Nothing else has a key `other`. */
export interface Plural {
  one?: string
  other: string
}

type Leaf = string | Plural

/** The dotted paths to the words of a dictionary. */
export type KeyOf<D> = {
  [K in keyof D & string]: D[K] extends Leaf ? K : `${K}.${KeyOf<D[K]>}`
}[keyof D & string]

/** A dictionary with the same keys, in whatever language. */
export type SameKeys<D> = {
  [K in keyof D]: D[K] extends string ? string : D[K] extends Plural ? Plural : SameKeys<D[K]>
}
