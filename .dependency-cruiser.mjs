// Who may import whom. Each rule says why; a violation fails `npm test`.
import { readdirSync, readFileSync } from 'node:fs';

/** Tests, and files that only tests use. */
const TEST = '\\.test\\.tsx?$|/testing/|\\.samples\\.ts$|-fixture\\.ts$';
const PACKAGE = '(^|/)node_modules/';
/**
 * A file of lib/ that does not begin with `import 'server-only'` promises to run anywhere: it is
 * pure.
 */
const pure = [...filesBelow('lib')].filter(
  (file) => !/^import 'server-only';/m.test(readFileSync(file, 'utf8').slice(0, 2_000)),
);
const PURE = `^(${pure.map((file) => file.replaceAll('.', '\\.').replaceAll('[', '\\[')).join('|')})|${PACKAGE}zod/`;

export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment:
        'Of two files that need each other neither can be understood, tested or moved alone.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'everything-resolves',
      comment: 'An import that leads nowhere hides every rule that would have applied to it.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^next-env\\.d\\.ts$' },
    },
    {
      name: 'lib-does-not-know-screens',
      comment:
        'lib is the product without a browser: the worker and the tests run it without any screen.',
      severity: 'error',
      from: { path: '^lib/' },
      to: { path: '^(app|components)/' },
    },
    {
      name: 'components-use-pure-files',
      comment:
        'A component may end up in the browser: of lib it may take pure files, and types, ' +
        'which are gone when it runs.',
      severity: 'error',
      from: { path: '^components/', pathNot: TEST },
      to: { path: '^lib/', pathNot: PURE, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'components-do-not-know-app',
      comment: 'A piece used by two screens must not know one of them.',
      severity: 'error',
      from: { path: '^components/' },
      to: { path: '^app/' },
    },
    {
      name: 'primitives-know-nothing',
      comment: 'components/ui has no business words: it may use only itself and packages.',
      severity: 'error',
      from: { path: '^components/ui/', pathNot: TEST },
      to: { path: '^(app|lib|messages|components/(?!ui/))' },
    },
    {
      name: 'only-lib-knows-the-database',
      comment:
        'One place holds transactions, the merchant wall and the lock order: everything else asks a verb.',
      severity: 'error',
      from: { pathNot: '^(lib|prisma|scripts|demo|e2e|bench)/' },
      to: { path: `^lib/(runtime/db\\.ts|generated/)|${PACKAGE}(pg|@prisma|prisma)/` },
    },
    {
      name: 'only-db-knows-prisma',
      comment:
        'Whoever opens a client of their own escapes the role and the merchant wall that db.ts sets up.',
      severity: 'error',
      from: { path: '^lib/', pathNot: `^lib/(runtime/db\\.ts$|generated/)|${TEST}` },
      to: { path: `^lib/generated/|${PACKAGE}(pg|@prisma)/`, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'screens-do-not-reach-through',
      comment:
        'Edges ask verbs and views; settings and providers stay behind them, so that a ' +
        'role check cannot be walked around.',
      severity: 'error',
      from: { path: '^app/', pathNot: TEST },
      to: { path: '^lib/(runtime/env\\.ts|providers/)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'provider-is-a-leaf',
      comment:
        'A provider folder translates: our words in, our words out. It knows itself, its ' +
        'shared door and pure words of ours.',
      severity: 'error',
      from: { path: '^lib/providers/', pathNot: TEST },
      to: {
        path: '^(lib|app|components)/',
        pathNot: `^lib/(providers/|runtime/(env|log|metrics|trace)\\.ts)|${PURE}`,
      },
    },
    {
      name: 'provider-does-not-know-a-feature',
      comment:
        'Not even a pure file of a feature: the vocabulary of a provider and of a feature meet in the feature only.',
      severity: 'error',
      from: { path: '^lib/providers/', pathNot: TEST },
      to: { path: '^lib/(?!(providers|values|runtime)/)[^/]+/' },
    },
    {
      name: 'provider-does-not-know-the-other',
      comment:
        'What two providers share is in lib/providers itself; one that knows the other cannot be replaced.',
      severity: 'error',
      from: { path: '^lib/providers/([^/]+)/', pathNot: TEST },
      to: { path: '^lib/providers/[^/]+/', pathNot: '^lib/providers/$1/' },
    },
    {
      name: 'provider-does-not-know-next',
      comment: 'The worker calls providers too, and there is no framework around it.',
      severity: 'error',
      from: { path: '^lib/(providers|movements)/' },
      to: { path: `${PACKAGE}(next|next-auth|next-intl|react|react-dom)/` },
    },
    {
      name: 'sandbox-stands-alone',
      comment:
        'A double with its own code can contradict our client; one that shares a file with it repeats its mistakes.',
      severity: 'error',
      from: { path: '^sandbox/', pathNot: TEST },
      to: { pathNot: '^sandbox/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'nothing-imports-the-sandbox',
      comment: 'It is reached over HTTP, like the real providers, or not at all.',
      severity: 'error',
      from: { pathNot: '^sandbox/' },
      to: { path: '^sandbox/', pathNot: '/testing/' },
    },
    {
      name: 'simulator-plays-the-pure-core',
      comment:
        'It plays the rules that run in production, which are pure files of lib; with a ' +
        'socket or a database in it, a seed would not be the same world twice.',
      severity: 'error',
      from: { path: '^sim/', pathNot: TEST },
      to: { pathNot: `^sim/|${PURE}`, dependencyTypesNot: ['core', 'type-only'] },
    },
    {
      name: 'nothing-imports-the-simulator',
      comment:
        'It looks at the product; whatever the product took from it would be judged by itself.',
      severity: 'error',
      from: { pathNot: '^sim/' },
      to: { path: '^sim/' },
    },
    {
      name: 'nothing-imports-the-stories',
      comment: 'e2e looks at the product from outside.',
      severity: 'error',
      from: { pathNot: '^e2e/' },
      to: { path: '^e2e/' },
    },
    {
      name: 'the-independent-client-knows-nobody',
      comment:
        'It stands for the merchant who never saw this code: with one line of ours in it, ' +
        'it would repeat our reading of the interface.',
      severity: 'error',
      from: { path: '^e2e/independent/', pathNot: '\\.spec\\.ts$' },
      to: { pathNot: '^e2e/independent/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'nothing-imports-the-demo',
      comment: 'demo/ writes the history of a new demo, in a process of its own that a start runs.',
      severity: 'error',
      from: { pathNot: '^demo/' },
      to: { path: '^demo/' },
    },
    {
      name: 'product-does-not-know-its-scripts',
      comment: 'scripts/ only sets up and checks; in production none of it is there.',
      severity: 'error',
      from: { pathNot: '^(scripts|e2e|bench)/' },
      to: { path: '^scripts/' },
    },
    {
      name: 'scripts-do-not-know-the-product',
      comment:
        'The start must not load what it starts; it speaks to it by processes and ' +
        'environment, as any operator would.',
      severity: 'error',
      from: { path: '^scripts/' },
      to: { path: '^(app|components|lib|sandbox)/' },
    },
    {
      name: 'pure-stays-pure',
      comment:
        "A file of lib that does not begin with `import 'server-only'` runs in form, " +
        'server and test alike: it may import only its like and zod.',
      severity: 'error',
      from: { path: PURE, pathNot: `${PACKAGE}|^lib/generated/|${TEST}` },
      to: { pathNot: `${PURE}|^messages/`, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-test-packages-in-the-product',
      comment: 'An image of the product is installed without development packages.',
      severity: 'error',
      from: { path: '^(app|components|lib|sandbox|prisma)/', pathNot: TEST },
      to: {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['type-only'],
        pathNot: `${PACKAGE}@types/`,
      },
    },
    {
      name: 'no-tests-in-the-product',
      comment: 'A test is a place where rules are bent.',
      severity: 'error',
      from: { pathNot: `${TEST}|^(e2e|bench)/` },
      to: { path: TEST },
    },
    {
      name: 'no-dead-files',
      comment:
        'A file that no page and no process reaches is read by people and run by nobody. ' +
        'The exits of every state are a table for the docs and the tests; the compiler ' +
        'imports what draws.',
      severity: 'error',
      from: {
        path: '^(app/|lib/(web/webhooks|audit/check-database|worker/main|receipts/merged/process|batches/draft/open-thread)\\.ts$|instrumentation(-client)?\\.ts$|(proxy|server)\\.ts$|next\\.config\\.mjs$)',
      },
      to: {
        path: '^(lib|components)/',
        pathNot: [
          TEST,
          '^lib/(generated/|(web/webhooks|audit/check-database|worker/main|receipts/merged/process|batches/draft/open-thread)\\.ts$|movements/exits\\.ts$)',
          '^components/drawn(-dev)?\\.ts$',
          '\\.d\\.ts$',
        ],
        reachable: false,
      },
    },
  ],
  options: {
    doNotFollow: { path: `${PACKAGE}|^lib/generated/` },
    exclude: { path: '^(\\.next|\\.builds)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      conditionNames: ['react-server', 'node', 'import', 'default', 'types'],
      exportsFields: ['exports'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.d.ts'],
    },
  },
};

function* filesBelow(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = `${entry.parentPath}/${entry.name}`;
    if (entry.isFile() && /\.tsx?$/.test(entry.name) && !path.startsWith('lib/generated/'))
      yield path;
  }
}
