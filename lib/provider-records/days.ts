/**
 * The largest range of days to request or show at once: a little more than a year. Pure.
 */
export const DAYS_MAX = 400;
