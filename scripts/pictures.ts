/**
 * `npm run pictures`: starts a demo of its own, makes a screenshot of every page in docs/pictures,
 * and stops the demo.
 */
import { findChromium } from './browser.ts';
import { withProduct } from './checks/product.ts';
import { runPlaywright } from './checks/suites.ts';
import { forgetOurVariables } from './environment.ts';
import { watchInterruption } from './interrupted.ts';
import { printError } from './refused.ts';

/** The waits of the product, which are its defaults. The tests' helpers must know them. */
const PATIENCE = { RESEND_QUIET_SECONDS: '180', MANUAL_REVIEW_SECONDS: '1800' };

const { signal } = watchInterruption();

try {
  forgetOurVariables();
  const chromium = await findChromium(signal, (line) => console.log(line));
  const outcome = await withProduct({ webs: 1, history: true, env: PATIENCE, signal }, (env) =>
    runPlaywright({
      config: 'e2e/pictures/playwright.config.ts',
      env: { ...env, BASE_URL_2: env['BASE_URL'], CHROMIUM_PATH: chromium },
      signal,
      live: true,
    }),
  );
  process.exit(outcome.failed === 0 ? 0 : 1);
} catch (error) {
  printError(error);
  process.exit(1);
}
