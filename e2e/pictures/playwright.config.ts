import base from '../playwright.config.ts';

/** `npm run pictures`; no part of `npm test`. */
export default {
  ...base,
  testDir: '.',
  testMatch: '*.pictures.ts',
  outputDir: '../../test-results',
  retries: 0,
};
