import 'server-only';
import { defaultTreeAdapter, parse, serialize } from 'parse5';
import type { DefaultTreeAdapterTypes } from 'parse5';

/**
 * Sanitizes a receipt for display: text, tables, styles and embedded pictures remain. For frames,
 * plug-ins and links a browser connects before any policy stops it, which would tell the author
 * when and from where the document is opened. The stored bytes stay unchanged.
 */

/** The allowed elements. Any other element is replaced by its content. */
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
/** Elements whose content is not text for people. */
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
 * A receipt has some hundred elements, a few levels deep. A document beyond these limits is an
 * attack on this process.
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

/**
 * Limits the elements while the document is parsed: a few thousand characters can create millions
 * of elements.
 */
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
  // The serializer escapes text by its parent element: text moved out of a raw-text element must
  // have its new parent.
  for (const node of parent.childNodes) node.parentNode = parent;
}

/** The replacement of a node: itself, its content, or nothing. */
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
