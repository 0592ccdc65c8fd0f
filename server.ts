/**
 * Process entry: the web. `--dev`: with hot reload.
 *
 * Files of lib/ begin with `import 'server-only'`, which only loads under the condition
 * `react-server`. The worker has this condition; here the framework runs in the same process and
 * needs the complete React, so the package is replaced by its empty file while lib/ is loaded.
 */
import { registerHooks } from 'node:module';

const EMPTY = new URL('node_modules/server-only/empty.js', import.meta.url).href;

const hooks = registerHooks({
  resolve: (specifier, context, resolve) =>
    specifier === 'server-only'
      ? { url: EMPTY, format: 'commonjs', shortCircuit: true }
      : resolve(specifier, context),
});
const { serve } = await import('#lib/web/serve.ts');
hooks.deregister();

await serve({ dev: process.argv.includes('--dev') });
