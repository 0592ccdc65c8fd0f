/**
 * Checks that every message key that the code asks a translator for exists. The types of the texts
 * are loose, so a person would see a missing key instead of its text. Only the Turkish texts are
 * read, because `messages.ts` compares the languages.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const FOLDERS = ['app', 'components', 'lib'];
const CODE = /(?<!\.(test|spec))\.tsx?$/;
const MAKERS = ['useTranslations', 'getTranslations'];
/** A type such as `Awaited<ReturnType<typeof getTranslations<'home'>>>`. */
const TRANSLATOR_TYPE =
  /^(?:Awaited<)?ReturnType<typeof (?:use|get)Translations(?:<'([\w.]*)'>)?>>?$/;
/** Stands in a key for the part that the code fills in at run time. */
const ANY = '*';

type Texts = { leaves: Set<string>; branches: Set<string> };
/** What must exist at a key: one text, a branch of texts, or either. */
type Wanted = 'text' | 'branch' | 'either';
type Asked = { file: string; line: number; key: string; wants: Wanted };
/**
 * The keys that one file asks for, and the namespaces that it puts in the place of others
 * (`<Messages>`).
 */
type Reading = { asked: Asked[]; instead: [of: string, by: string][] };
/**
 * The translators by their variables. The value is the namespace, or null for a variable that is
 * not a translator.
 */
type Scope = { names: Map<string, string | null>; outer: Scope | undefined };
type Reader = {
  source: ts.SourceFile;
  types: Map<string, ts.TypeNode | ts.InterfaceDeclaration>;
  ask(at: ts.Node, key: string, wants: Wanted): void;
  instead: Reading['instead'];
};

export function checkMessageKeys(root: string): string[] {
  const folder = join(root, 'messages/tr');
  if (!existsSync(folder)) return [];
  const texts = textsIn(folder);
  const readings = FOLDERS.flatMap((name) => filesBelow(root, name)).map((file) =>
    readingOf(file, readFileSync(join(root, file), 'utf8')),
  );
  const asked = readings.flatMap((one) => one.asked);
  if (asked.length === 0) return ['messages: no file asks for a text, so no key was looked at.'];
  const instead = readings.flatMap((one) => one.instead);
  return asked
    .filter((one) => !spellingsOf(one.key, instead).some((key) => isThere({ ...one, key }, texts)))
    .map(({ file, line, key }) =>
      key.includes(ANY)
        ? `${file}:${line}: no text of messages/tr is called ${key}.`
        : `${file}:${line}: messages/tr has no text ${key}.`,
    );
}

/**
 * Returns the key and its forms under replacing namespaces: a component that several pages use may
 * ask for a text that only a replacing namespace has.
 */
function spellingsOf(key: string, instead: Reading['instead']): string[] {
  const [namespace = '', ...rest] = key.split('.');
  const others = instead.filter(([of]) => of === namespace).map(([, by]) => by);
  return [namespace, ...new Set(others)].map((name) => [name, ...rest].join('.'));
}

function isThere({ key, wants }: Asked, { leaves, branches }: Texts): boolean {
  const among = [...(wants === 'branch' ? [] : [leaves]), ...(wants === 'text' ? [] : [branches])];
  if (!key.includes(ANY)) return among.some((paths) => paths.has(key));
  const parts = key.split(ANY).map((part) => part.replace(/[.\\^$+?()[\]{}|]/g, '\\$&'));
  const shape = new RegExp(`^${parts.join('.*')}$`);
  return among.some((paths) => [...paths].some((path) => shape.test(path)));
}

function textsIn(folder: string): Texts {
  const texts: Texts = { leaves: new Set(), branches: new Set() };
  const collect = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) {
      texts.leaves.add(path);
      return;
    }
    texts.branches.add(path);
    for (const [key, below] of Object.entries(value)) collect(below, `${path}.${key}`);
  };
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    const name = file
      .slice(0, -'.json'.length)
      .replace(/-[a-z]/g, (dash) => dash.slice(1).toUpperCase());
    collect(JSON.parse(readFileSync(join(folder, file), 'utf8')), name);
  }
  return texts;
}

/**
 * Returns every key that one file names, with `*` for a part that is filled in; a computed key is
 * left out.
 */
function readingOf(file: string, text: string): Reading {
  if (!MAKERS.some((name) => text.includes(name)) && !text.includes(' instead={'))
    return { asked: [], instead: [] };
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const { asked, instead }: Reading = { asked: [], instead: [] };
  const types: Reader['types'] = new Map();
  for (const statement of source.statements) {
    if (ts.isTypeAliasDeclaration(statement)) types.set(statement.name.text, statement.type);
    if (ts.isInterfaceDeclaration(statement)) types.set(statement.name.text, statement);
  }
  const ask: Reader['ask'] = (at, key, wants) => {
    const { line } = source.getLineAndCharacterOfPosition(at.getStart());
    asked.push({ file, line: line + 1, key, wants });
  };
  look(source, { names: new Map(), outer: undefined }, { source, types, ask, instead });
  return { asked, instead };
}

function look(node: ts.Node, scope: Scope, reader: Reader): void {
  const opens = ts.isFunctionLike(node) || ts.isBlock(node) || ts.isForOfStatement(node);
  const here = opens ? { names: new Map<string, string | null>(), outer: scope } : scope;
  if (ts.isVariableDeclaration(node) || ts.isParameter(node))
    bind(node.name, { value: node.initializer, type: node.type }, here, reader);
  if (ts.isCallExpression(node)) lookAtCall(node, here, reader);
  if (ts.isJsxAttribute(node) && node.name.getText(reader.source) === 'instead')
    reader.instead.push(...pairsIn(node));
  ts.forEachChild(node, (child) => look(child, here, reader));
}

/** Returns every pair `name: 'other'` below a node. */
function pairsIn(node: ts.Node): Reading['instead'] {
  const pairs: Reading['instead'] = [];
  ts.forEachChild(node, (child) => {
    pairs.push(...pairsIn(child));
    if (ts.isPropertyAssignment(child) && ts.isStringLiteral(child.initializer))
      pairs.push([child.name.getText(), child.initializer.text]);
  });
  return pairs;
}

function lookAtCall(call: ts.CallExpression, scope: Scope, { ask }: Reader): void {
  const [key] = call.arguments;
  if (key === undefined) return;
  if (MAKERS.includes(nameOf(call))) {
    for (const name of namesIn(key)) ask(key, name, 'branch');
    return;
  }
  let translator = bare(call.expression);
  let wants: Wanted = 'text';
  if (ts.isPropertyAccessExpression(translator)) {
    if (!['rich', 'markup', 'raw'].includes(translator.name.text)) return;
    if (translator.name.text === 'raw') wants = 'either';
    translator = bare(translator.expression);
  }
  const namespace = namespaceOf(translator, scope);
  if (namespace === null) return;
  for (const name of namesIn(key))
    ask(key, namespace === '' ? name : `${namespace}.${name}`, wants);
}

type Origin = { value?: ts.Expression | undefined; type?: ts.TypeNode | undefined };

/**
 * Records for each name of a declaration whether it is a translator. A name that is not one hides a
 * translator of the same name in an outer scope.
 */
function bind(name: ts.BindingName, origin: Origin, scope: Scope, reader: Reader): void {
  if (ts.isIdentifier(name)) {
    const made = origin.value === undefined ? null : namespaceOf(origin.value, scope);
    scope.names.set(name.text, made ?? namespaceOfType(origin.type, reader));
    return;
  }
  const values = ts.isArrayBindingPattern(name) ? partsOf(origin.value) : [];
  name.elements.forEach((element, index) => {
    if (ts.isOmittedExpression(element)) return;
    const property = (element.propertyName ?? element.name).getText(reader.source);
    bind(
      element.name,
      { value: values[index], type: memberOf(origin.type, property, reader) },
      scope,
      reader,
    );
  });
}

/** Returns the elements of `[a, b]` and of `await Promise.all([a, b])`. */
function partsOf(value: ts.Expression | undefined): readonly ts.Expression[] {
  let inner = value === undefined ? undefined : bare(value);
  if (inner !== undefined && ts.isCallExpression(inner) && nameOf(inner) === 'Promise.all')
    inner = inner.arguments[0];
  return inner !== undefined && ts.isArrayLiteralExpression(inner) ? inner.elements : [];
}

function nameOf(call: ts.CallExpression): string {
  return call.expression.getText();
}

/**
 * Returns the namespace of a translator: '' for the translator of all texts, null for anything
 * else.
 */
function namespaceOf(expression: ts.Expression, scope: Scope): string | null {
  const inner = bare(expression);
  if (ts.isIdentifier(inner)) {
    for (let at: Scope | undefined = scope; at !== undefined; at = at.outer) {
      const known = at.names.get(inner.text);
      if (known !== undefined) return known;
    }
    return null;
  }
  if (!ts.isCallExpression(inner) || !MAKERS.includes(nameOf(inner))) return null;
  const [named] = inner.arguments;
  if (named === undefined) return '';
  const names = namesIn(named);
  return names.length === 1 ? names[0]! : null;
}

function namespaceOfType(type: ts.TypeNode | undefined, reader: Reader): string | null {
  if (type === undefined) return null;
  const written = type.getText(reader.source);
  const alias = reader.types.get(written);
  if (alias !== undefined && ts.isTypeNode(alias)) return namespaceOfType(alias, reader);
  const found = TRANSLATOR_TYPE.exec(written.replaceAll(/\s+/g, ' '));
  return found === null ? null : (found[1] ?? '');
}

/** Returns the type of one property, when the type is written out in the same file. */
function memberOf(
  type: ts.TypeNode | undefined,
  property: string,
  { source, types }: Reader,
): ts.TypeNode | undefined {
  const shape = type === undefined ? undefined : (types.get(type.getText(source)) ?? type);
  if (shape === undefined || !(ts.isTypeLiteralNode(shape) || ts.isInterfaceDeclaration(shape)))
    return undefined;
  const member = shape.members.find((one) => one.name?.getText(source) === property);
  return member !== undefined && ts.isPropertySignature(member) ? member.type : undefined;
}

/**
 * Returns the strings that an expression may give, as far as the code spells them out; both sides
 * of a conditional count.
 */
function namesIn(expression: ts.Expression): string[] {
  const inner = bare(expression);
  if (ts.isStringLiteralLike(inner)) return [inner.text];
  if (ts.isTemplateExpression(inner))
    return [
      inner.head.text + inner.templateSpans.map(({ literal }) => ANY + literal.text).join(''),
    ];
  if (ts.isConditionalExpression(inner))
    return [...namesIn(inner.whenTrue), ...namesIn(inner.whenFalse)];
  if (ts.isBinaryExpression(inner) && /^(\?\?|\|\|)$/.test(inner.operatorToken.getText()))
    return [...namesIn(inner.left), ...namesIn(inner.right)];
  return [];
}

/** Removes parentheses, `await` and casts, which change nothing about the text. */
function bare(expression: ts.Expression): ts.Expression {
  let inner = expression;
  while (
    ts.isParenthesizedExpression(inner) ||
    ts.isAwaitExpression(inner) ||
    ts.isAsExpression(inner) ||
    ts.isSatisfiesExpression(inner) ||
    ts.isNonNullExpression(inner)
  )
    inner = inner.expression;
  return inner;
}

function filesBelow(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder)) || folder === 'lib/generated') return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return filesBelow(root, path);
    return CODE.test(path) ? [path] : [];
  });
}
