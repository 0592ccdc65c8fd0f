import 'server-only';
import { defaultTreeAdapter, parse, serialize } from 'parse5';
import type { DefaultTreeAdapterTypes } from 'parse5';

/**
 * A receipt as it is shown: text, tables, styles and pictures of its own. A browser connects for
 * frames, plug-ins and links before any policy stops it, and whoever wrote the document would learn
 * when and from where it is opened. The stored bytes stay as they came.
 */

/** What receipts are made of. Of any other element the content alone stays. */
const SHOWN = new Set([
  'html',
  'head',
  'body',
  'title',
  'style',
  'main',
  'article',
  'section',
  'header',
  'footer',
  'div',
  'span',
  'p',
  'br',
  'hr',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'a',
  'b',
  'strong',
  'i',
  'em',
  'u',
  's',
  'small',
  'big',
  'sub',
  'sup',
  'center',
  'font',
  'pre',
  'code',
  'blockquote',
  'address',
  'ul',
  'ol',
  'li',
  'dl',
  'dt',
  'dd',
  'table',
  'caption',
  'colgroup',
  'col',
  'thead',
  'tbody',
  'tfoot',
  'tr',
  'th',
  'td',
  'img',
  'figure',
  'figcaption',
  'bdi',
  'bdo',
  'label',
  'time',
]);
/** Elements whose content is no text for people. */
const DROPPED_WHOLE = new Set([
  'script',
  'iframe',
  'frame',
  'frameset',
  'noframes',
  'object',
  'embed',
  'applet',
  'noembed',
  'noscript',
  'template',
  'svg',
  'math',
  'video',
  'audio',
  'canvas',
  'portal',
  'fencedframe',
]);
const SHOWN_ATTRIBUTES = new Set([
  'class',
  'id',
  'style',
  'align',
  'valign',
  'width',
  'height',
  'colspan',
  'rowspan',
  'span',
  'scope',
  'headers',
  'border',
  'cellpadding',
  'cellspacing',
  'bgcolor',
  'color',
  'face',
  'size',
  'nowrap',
  'dir',
  'lang',
  'alt',
  'title',
  'start',
  'type',
  'datetime',
]);
const OWN_PICTURE = /^\s*data:image\/(?:png|jpeg|gif|webp);/i;

/**
 * A receipt has some hundred elements, a few deep. Beyond these a document is made to keep this
 * process busy, or to break it.
 */
const ELEMENTS_MAX = 20_000;
const DEPTH_MAX = 250;

class TooRich extends Error {}

type Node = DefaultTreeAdapterTypes.ChildNode;
type Parent = DefaultTreeAdapterTypes.ParentNode;

/**
 * `html`: the document as text. Returns a whole document; null for one that is too large or too
 * deep to be shown.
 */
export function shownHtml(html: string): string | null {
  try {
    const document = parse(html, { treeAdapter: boundedTree() });
    clean(document);
    return serialize(document);
  } catch (error) {
    if (error instanceof TooRich) return null;
    throw error;
  }
}

/** Counted while it is read: a few thousand letters can ask for millions of elements. */
function boundedTree(): typeof defaultTreeAdapter {
  let made = 0;
  let depth = 0;
  const within = (number: number, max: number): void => {
    if (number > max) throw new TooRich();
  };
  return {
    ...defaultTreeAdapter,
    createElement(...given) {
      within((made += 1), ELEMENTS_MAX);
      return defaultTreeAdapter.createElement(...given);
    },
    onItemPush: () => within((depth += 1), DEPTH_MAX),
    onItemPop: () => void (depth -= 1),
  };
}

function clean(parent: Parent): void {
  parent.childNodes = parent.childNodes.flatMap(shown);
  // What is written out is escaped by where it stands: text that came out of an element of raw text
  // must know that it did.
  for (const node of parent.childNodes) node.parentNode = parent;
}

/** What stands in the place of a node: itself, its content, or nothing. */
function shown(node: Node): Node[] {
  if (node.nodeName === '#comment' || DROPPED_WHOLE.has(node.nodeName.toLowerCase())) return [];
  if (!('attrs' in node)) return [node];
  clean(node);
  if (!SHOWN.has(node.nodeName)) return node.childNodes;
  node.attrs = node.attrs.filter(
    ({ name, value }) => SHOWN_ATTRIBUTES.has(name) || (name === 'src' && OWN_PICTURE.test(value)),
  );
  return [node];
}
