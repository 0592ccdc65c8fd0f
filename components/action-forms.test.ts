import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, it } from 'vitest';

/** A form that calls a server action keeps what was typed when the connection breaks or the server refuses. */

/** Forms whose typed values are in their state: React resets the fields to these. */
const KEPT_IN_STATE = [
  'app/batches/[id]/cell-editor.tsx',
  'app/cards/operations/day-form.tsx',
  'app/cards/payments/add-form.tsx',
  'app/cards/saved/register-form.tsx',
  'app/cards/tools/hash-keys/check-form.tsx',
  'app/cards/tools/hash-keys/make-form.tsx',
  'app/cards/tools/links/new-link-form.tsx',
  'app/cards/tools/links/send-link-form.tsx',
  'app/login/login-form.tsx',
  'app/wallets/new/wallet-form.tsx',
  'components/edit-dialog.tsx',
];

/** Forms of buttons alone; one file has two. */
const NOTHING_TYPED = [
  'app/saved-views/view-tabs.tsx',
  'app/saved-views/view-tabs.tsx',
  'components/action-button.tsx',
];

/** The sign-in calls no server action: its requests catch a broken connection themselves. */
const NO_SERVER_ACTION = ['app/login/login-form.tsx'];

const FILES = globSync('{app,components}/**/*.{ts,tsx}', { exclude: ['**/*.test.*'] }).map(
  (path) => ({ path, source: parsed(path) }),
);

it('every press of a form says what is known when the connection breaks', () => {
  const calls = FILES.flatMap(({ path, source }) =>
    nodesIn(source, ts.isCallExpression)
      .filter(({ expression }) => expression.getText() === 'useActionState')
      .map((call) => ({ path, action: call.arguments[0]!.getText() })),
  );
  expect(calls.length, 'forms that were found').toBeGreaterThan(20);
  const unguarded = calls.filter(({ action }) => !action.includes('orUnanswered('));
  expect(unguarded.map(({ path }) => path)).toEqual(NO_SERVER_ACTION);
});

it('every form keeps what was typed when its action is refused', () => {
  const forms = FILES.filter(({ source }) => /use(ActionState|Signed)\(/.test(source.text)).flatMap(
    ({ path, source }) =>
      nodesIn(source, ts.isJsxOpeningElement)
        .filter(({ tagName }) => tagName.getText() === 'form')
        .map((form) => ({ path, form })),
  );
  expect(forms.length, 'forms that were found').toBeGreaterThan(20);
  const others = forms.filter(({ form }) => !/onSubmit=\{keepFields\(/.test(form.getText()));
  expect(others.map(({ path }) => path).toSorted()).toEqual(
    [...KEPT_IN_STATE, ...NOTHING_TYPED].toSorted(),
  );
});

function parsed(path: string): ts.SourceFile {
  return ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
}

function nodesIn<T extends ts.Node>(root: ts.Node, is: (node: ts.Node) => node is T): T[] {
  const found: T[] = [];
  const visit = (node: ts.Node): void => {
    if (is(node)) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(root);
  return found;
}
