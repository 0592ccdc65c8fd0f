/**
 * Finds selectors of the built style sheets that look at the whole tree. `:has()` on an element
 * that wraps a page makes the browser look through the page after each change in it (half a second
 * of style per page load, docs/performance.md); a subject without a name is tried on every element.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A selector that may stay: its pattern and why it costs little. */
type Allowed = { is: RegExp; because: string };

const ALLOWED: readonly Allowed[] = [
  {
    is: /^\.has-checked\\:[^ :]+:has\(:checked\)$/,
    because: 'a label around one radio button or check box looks at that one',
  },
  {
    is: /:where\(\.group\\\/archive\):has\(#file-pdf:checked\) /,
    because: 'the form of an archive looks at its own radio buttons, without scripts too',
  },
  {
    is: /^(?:\*|::?before|::?after|::backdrop)$/,
    because: "Tailwind's reset, its initial values, and the end of motion for who asked for it",
  },
  {
    is: /^:(?:disabled|focus-visible|-moz-focusring:where\(:not\(iframe\)\)|-moz-ui-invalid)$/,
    because: 'a state that hardly any element has is read from the element itself',
  },
  {
    is: /^\.marker\\:content-none ::(?:marker|-webkit-details-marker)$/,
    because: 'the marker of one summary',
  },
];

/** Matches pseudo-elements that every element has; the others belong to form fields and are few. */
const EVERYWHERE = /^::?(?:before|after|marker|backdrop|-webkit-details-marker)$/;

/**
 * Returns the selectors of `css` that look at the whole tree and are not allowed, each with the
 * reason, and the entries of `allowed` that match no selector any more. Pure.
 */
export function findWideSelectors(css: string, allowed: readonly Allowed[] = ALLOWED): string[] {
  const wide = [...new Set(selectorsOf(css))].flatMap((selector) => {
    const what = widthOf(selector);
    return what === null ? [] : [{ selector, what }];
  });
  const met = new Set<Allowed>();
  const problems = wide.flatMap(({ selector, what }) => {
    const rule = allowed.find(({ is }) => is.test(selector));
    if (rule !== undefined) met.add(rule);
    return rule === undefined ? [`${selector}: ${what}`] : [];
  });
  const unmet = allowed.filter((one) => !met.has(one));
  return [...problems, ...unmet.map(({ is }) => `allowed, but not in the sheets: ${String(is)}`)];
}

/** Finds the same selectors in the style sheets of a build. */
export function findWideSelectorsOf(buildFolder: string): string[] {
  const folder = join(buildFolder, 'static');
  const sheets = readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.css'));
  if (sheets.length === 0) return ['The build has no style sheet: no selector was looked at.'];
  return findWideSelectors(sheets.map((name) => readFileSync(join(folder, name), 'utf8')).join(''));
}

/**
 * Returns every selector of a style sheet; a selector in a nested rule is combined with those of
 * the rule around it. Pure.
 */
export function selectorsOf(css: string): string[] {
  const found: string[] = [];
  const around: string[][] = [];
  let text = '';
  for (const token of css.replaceAll(/\/\*[\s\S]*?\*\//g, '').match(TOKENS) ?? []) {
    if (token === '{') {
      const prelude = text.trim();
      const outer = around.at(-1) ?? [];
      const inner = prelude.startsWith('@') ? outer : nested(outer, parts(prelude, ','));
      if (!prelude.startsWith('@') && !isKeyframe(prelude)) found.push(...inner);
      around.push(inner);
      text = '';
    } else if (token === '}') {
      around.pop();
      text = '';
    } else text = token === ';' ? '' : text + token;
  }
  return found;
}

/**
 * Matches the tokens of a style sheet. A string or an escaped character is one token, so that a
 * brace in it does not count.
 */
const TOKENS = /"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*'|\\[\s\S]|[{};]|[^{};"'\\]+/g;

function isKeyframe(prelude: string): boolean {
  return /^(?:from|to|[\d.]+%)(?:\s*,|$)/.test(prelude);
}

function nested(outer: readonly string[], inner: readonly string[]): string[] {
  if (outer.length === 0) return [...inner];
  return outer.flatMap((parent) =>
    inner.map((child) =>
      child.includes('&') ? child.replaceAll('&', parent) : `${parent} ${child}`,
    ),
  );
}

/** Says why a selector looks at the whole tree; null when it does not. */
function widthOf(selector: string): string | null {
  const anchor = /^([\s\S]*?):has\(/.exec(selector)?.[1];
  if (anchor !== undefined)
    return `:has() anchored at ${anchor === '' ? 'any element' : `"${anchor}"`}`;
  return isNameless(selector) ? 'a subject without a name is tried on every element' : null;
}

/**
 * Whether the subject of a selector has no tag, class, id or attribute, and is not the child of a
 * parent that has one.
 */
function isNameless(selector: string): boolean {
  const [subject, link, before] = lastCompound(selector.trim());
  if (link === '>' && !isNameless(before)) return false;
  const rest = subject.replaceAll(/:(?:root|host)\b/g, 'html');
  const choices = /^:(?:is|where)\(([\s\S]*)\)$/.exec(rest)?.[1];
  if (choices !== undefined) return parts(choices, ',').some(isNameless);
  const pseudo = rest.match(/::[a-z-]+|:(?:before|after)$/)?.[0];
  if (pseudo !== undefined && !EVERYWHERE.test(pseudo)) return false;
  return !/^[\w\\.#[]/.test(rest.replace(/^(?:&|\*)/, ''));
}

/**
 * Returns the last compound of a selector, the combinator before it, and what stands before that.
 */
function lastCompound(selector: string): [subject: string, link: string, before: string] {
  const pieces = parts(selector.replaceAll(/\s*([>+~])\s*/g, '$1'), ' >+~', true);
  return [pieces.at(-1)!, pieces.at(-2) ?? '', pieces.slice(0, -2).join('')];
}

/**
 * Splits a text at separators outside brackets and escapes; `keep` keeps the separators as parts.
 */
function parts(text: string, separators: string, keep = false): string[] {
  const found = [''];
  let depth = 0;
  for (const token of text.match(/"[^"]*"|\\[\s\S]|[\s\S]/g) ?? []) {
    if (/^[([]$/.test(token)) depth += 1;
    if (/^[)\]]$/.test(token)) depth -= 1;
    if (depth === 0 && token.length === 1 && separators.includes(token))
      found.push(...(keep ? [token] : []), '');
    else found[found.length - 1] += token;
  }
  return keep ? found : found.map((one) => one.trim()).filter((one) => one !== '');
}
