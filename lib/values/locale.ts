/** The two languages of the product. Everything a person reads exists in both. */
export const LOCALES = ['tr', 'en'] as const;

export type Locale = (typeof LOCALES)[number];
