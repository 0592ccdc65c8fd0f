import base from '../playwright.config.ts';

/** The configuration of `npm run pictures`, which is no part of `npm test`. */
export default {
  ...base,
  testDir: '.',
  testMatch: '*.pictures.ts',
  outputDir: '../../test-results',
  retries: 0,
};
