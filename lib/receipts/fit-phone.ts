/**
 * Adds a style for phones to a receipt, whose layout is made for paper, in any width. On a phone
 * its boxes become as wide as the screen and its words break, so that nobody has to scroll
 * sideways. Pure.
 */

/**
 * The maximum width of the screens for which the style applies: wider than a phone's frame at every
 * zoom of the viewer, narrower than any other screen.
 */
const PHONE_PX = 480;

const STYLE = `@media screen and (max-width: ${PHONE_PX}px) {
  * { max-width: 100% !important; min-width: 0 !important; box-sizing: border-box !important;
    position: static !important; float: none !important; transform: none !important;
    text-indent: 0 !important; white-space: normal !important; overflow-wrap: anywhere !important }
  html, body, table { width: 100% !important }
  body { margin: 0 !important; padding: 8px !important }
  td, th, col { width: auto !important }
  pre { white-space: pre-wrap !important }
  img { height: auto !important }
}`;

/** `html`: the document as it is shown, without anything that runs. */
export function fitPhone(html: string): string {
  return `${html}<meta name="viewport" content="width=device-width"><style>${STYLE}</style>`;
}
