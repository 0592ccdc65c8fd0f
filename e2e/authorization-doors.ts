/**
 * Who may call what, read from the code: every server action and every route of `app/`, with the
 * right that it asks for. `e2e/doors.spec.ts` calls each of them as every role and without a
 * session, and compares with what is read here.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import type { Permission } from '#lib/access/actor.ts';

/**
 * `permissions`: a role needs all of them. `session`: every signed-in person, for what is the
 * person's own or what every role may do. `anybody`: needs no session. `other`: no session counts
 * here, but something else, in words.
 */
export type Access =
  | { kind: 'permissions'; permissions: readonly Permission[] }
  | { kind: 'session' }
  | { kind: 'anybody' }
  | { kind: 'other'; what: string };

/**
 * `second`: the call works only as the second of two people. `test`: a database test of a
 * verb that the action calls.
 */
export type Door = {
  name: string;
  file: string;
  access: Access;
  second: boolean;
  test: string | null;
};
export type Doors = {
  actions: Door[];
  pages: Door[];
  routes: Door[];
  /** Doors of the code without a row here or in `e2e/doors.spec.ts`, and rows without a door. */
  problems: string[];
};

const SESSION: Access = { kind: 'session' };
const ANYBODY: Access = { kind: 'anybody' };
const API_KEY: Access = { kind: 'other', what: 'API key in the header' };
const needs = (...permissions: Permission[]): Access => ({ kind: 'permissions', permissions });

/** The rights of route handlers, whose checks stand in the verbs that they call. */
const ROUTES: Readonly<Record<string, Access>> = {
  '/api/auth/[...nextauth]': ANYBODY,
  '/api/batches': needs('payout.prepare'),
  '/api/batches/template': needs('payout.prepare'),
  '/api/cards/return': ANYBODY,
  '/api/events': SESSION,
  '/api/movements/[id]': needs('movement.read'),
  '/api/payouts': needs('movement.read'),
  '/api/search': SESSION,
  '/api/sign-in': ANYBODY,
  '/api/sign-out': ANYBODY,
  '/api/v1/batches': API_KEY,
  '/api/v1/batches/[id]': API_KEY,
  '/api/v1/openapi.json': ANYBODY,
  '/api/v1/payouts': API_KEY,
  '/api/v1/payouts/[id]': API_KEY,
  '/api/waiting': SESSION,
  '/audit/checkpoints': needs('audit.export'),
  '/audit/export': needs('audit.export'),
  '/batches/[id]/result': needs('export.make', 'payee.read'),
  '/receipts/[id]/raw': needs('receipt.read'),
  '/receipts/archives/[id]/file': needs('export.make'),
  '/reports/exports/[id]/file': needs('export.make'),
};

/** The addresses that the server answers before the framework. */
const BEFORE_THE_FRAMEWORK: readonly Door[] = [
  ['/api/health/live', 'lib/web/health.ts', ANYBODY] as const,
  ['/api/health/ready', 'lib/web/health.ts', ANYBODY] as const,
  [
    '/api/webhooks/[key]/[channel]',
    'lib/webhooks/answer.ts',
    { kind: 'other', what: 'key in the address' },
  ] as const,
].map(([name, file, access]) => ({ name, file, access, second: false, test: null }));

/** Rooms whose functions every edge calls: no verb of an action. */
const EDGE_ROOMS = ['login', 'runtime', 'values', 'access', 'form-fields'];
/** Pages without a person. */
const OPEN_PAGES = ['/login'];
/** Actions that belong to a browser and not to a person. */
const OPEN_ACTIONS = ['choosePreference'];

const PROBES = 'e2e/doors.spec.ts';
/** A page's first check of the role: all permissions in its condition. */
const PAGE_CHECK = /if \(\s*((?:!may(?:\(\w+\.role|Now\(\w+), '[\w.]+'\)(?:\s*\|\|\s*)?)+)\)/;

/** Every door of the code below `root`, in the order of their names. */
export function readDoors(root: string): Doors {
  const files = filesIn(root, 'app');
  const actions = readActions(root, files);
  const routes = doorsOf(files, 'route.ts', (address) => ROUTES[address] ?? ANYBODY);
  const pages = doorsOf(files, 'page.tsx', (address, file) => pageAccess(root, address, file));
  return {
    actions: actions.doors,
    pages,
    routes: [...routes, ...BEFORE_THE_FRAMEWORK].sort((a, b) => (a.name < b.name ? -1 : 1)),
    problems: [
      ...actions.problems,
      ...differences(
        routes.map(({ name }) => name),
        Object.keys(ROUTES),
        'the rights of routes in e2e/authorization-doors.ts',
      ),
    ],
  };
}

function filesIn(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .sort();
}

function readActions(
  root: string,
  files: readonly string[],
): { doors: Door[]; problems: string[] } {
  const probes = readProbes(readFileSync(join(root, PROBES), 'utf8'));
  const found = files
    .filter((file) => /(?<!\.test)\.ts$/.test(file))
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
    .filter(({ text }) => text.startsWith("'use server'"))
    .flatMap(({ file, text }) =>
      [...text.matchAll(/^export async function (\w+)/gm)].map((match) => ({
        name: match[1]!,
        file,
        verbs: verbsOf(text, text.slice(match.index)),
      })),
    );
  const tests = readDatabaseTests(root);
  return {
    doors: found
      .map(({ name, file, verbs }) => ({
        name,
        file,
        ...accessOf(name, probes.get(name)),
        test: testOf(verbs, tests),
      }))
      .sort(byName),
    problems: differences(
      found.map(({ name }) => name),
      [...probes.keys()],
      `the probes of ${PROBES}`,
    ),
  };
}

type Verb = { name: string; file: string; folder: string };

/** The verbs of `lib/` that an action calls: what its file imports and its body names. */
function verbsOf(text: string, fromAction: string): Verb[] {
  const end = fromAction.indexOf('\n}\n');
  const body = end < 0 ? fromAction : fromAction.slice(0, end);
  return [...text.matchAll(/^import \{([^}]+)\} from '#(lib\/([\w-]+)\/[^']+)';$/gm)]
    .filter(([, , , room]) => !EDGE_ROOMS.includes(room!))
    .flatMap(([, names, file]) =>
      names!.split(',').map((name) => ({ name: name.trim(), file: file!, folder: dirname(file!) })),
    )
    .filter(({ name }) => name !== '' && new RegExp(`\\b${name}\\b`).test(body));
}

function readDatabaseTests(root: string): { file: string; text: string }[] {
  return filesIn(root, 'lib')
    .filter((file) => file.endsWith('.db.test.ts') || /\/testing\/.+\.ts$/.test(file))
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
}

/**
 * A database test that names a verb of the action, or that uses test helpers which name it: one in
 * the verb's own room before others, so that a new test elsewhere does not change the page.
 */
function testOf(
  verbs: readonly Verb[],
  tests: readonly { file: string; text: string }[],
): string | null {
  const naming = tests.filter(({ text }) =>
    verbs.some(({ name }) => new RegExp(`\\b${name}\\b`).test(text)),
  );
  const direct = naming.filter(({ file }) => file.endsWith('.db.test.ts'));
  const helped = naming.flatMap(({ file }) => {
    const room = `${file.split('/testing/')[0]!}/`;
    return tests.filter((test) => test.file.startsWith(room) && test.file.endsWith('.db.test.ts'));
  });
  const found = direct.length > 0 ? direct : helped;
  const near = ({ file }: { file: string }): boolean =>
    verbs.some((verb) => file.startsWith(`${verb.folder}/`));
  const beside = verbs.map(({ file }) => file.replace(/\.ts$/, '.db.test.ts'));
  return (
    found.find(({ file }) => beside.includes(file)) ??
    found.find(near) ??
    found[0] ?? { file: null }
  ).file;
}

type Probe = { needs: string | null; second: boolean };

function accessOf(name: string, probe: Probe | undefined): Pick<Door, 'access' | 'second'> {
  const second = probe?.second ?? false;
  if (OPEN_ACTIONS.includes(name)) return { access: ANYBODY, second };
  const needed = probe?.needs ?? null;
  return { access: needed === null ? SESSION : needs(needed as Permission), second };
}

/** The rights in the table of probes: the object that its function `probes` returns. */
function readProbes(text: string): Map<string, Probe> {
  const source = ts.createSourceFile(PROBES, text, ts.ScriptTarget.Latest, true);
  const probes = new Map<string, Probe>();
  const fill = (table: ts.ObjectLiteralExpression): void => {
    for (const row of table.properties)
      if (ts.isPropertyAssignment(row) && ts.isObjectLiteralExpression(row.initializer)) {
        const right = valueOf(row.initializer, 'needs');
        probes.set(row.name.getText(source), {
          needs: right !== null && ts.isStringLiteral(right) ? right.text : null,
          second: valueOf(row.initializer, 'second') !== null,
        });
      }
  };
  source.forEachChild((node) => {
    if (ts.isFunctionDeclaration(node) && node.name?.text === 'probes')
      node.body?.forEachChild((inner) => {
        if (
          ts.isReturnStatement(inner) &&
          inner.expression !== undefined &&
          ts.isObjectLiteralExpression(inner.expression)
        )
          fill(inner.expression);
      });
  });
  return probes;
}

function valueOf(object: ts.ObjectLiteralExpression, name: string): ts.Expression | null {
  for (const property of object.properties)
    if (
      ts.isPropertyAssignment(property) &&
      ts.isIdentifier(property.name) &&
      property.name.text === name
    )
      return property.initializer;
  return null;
}

function doorsOf(
  files: readonly string[],
  end: 'route.ts' | 'page.tsx',
  access: (address: string, file: string) => Access,
): Door[] {
  return files
    .filter((file) => file.endsWith(`/${end}`))
    .map((file) => {
      const name = file.slice('app'.length, -end.length - 1).replace(/\/\([^)]+\)/g, '') || '/';
      return { name, file, access: access(name, file), second: false, test: null };
    })
    .sort(byName);
}

function pageAccess(root: string, address: string, file: string): Access {
  if (OPEN_PAGES.includes(address)) return ANYBODY;
  const condition = PAGE_CHECK.exec(readFileSync(join(root, file), 'utf8'))?.[1];
  if (condition === undefined) return SESSION;
  return needs(...[...condition.matchAll(/'([\w.]+)'/g)].map((match) => match[1] as Permission));
}

function differences(doors: readonly string[], rows: readonly string[], table: string): string[] {
  return [
    ...doors.filter((name) => !rows.includes(name)).map((name) => `${name}: no row in ${table}.`),
    ...rows.filter((name) => !doors.includes(name)).map((name) => `${name}: only in ${table}.`),
  ];
}

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : 1;
}
