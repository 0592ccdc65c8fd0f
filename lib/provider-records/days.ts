/**
 * What is asked of the mirror, and shown of it, at once at most: a little more than a year. Pure.
 */
export const DAYS_MAX = 400;
