'use client';

import { Printer } from 'lucide-react';
import { useState, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { Button, FileButton } from '#components/ui/button.tsx';
import { EmptyState, Panel } from '#components/ui/panel.tsx';

export type ViewerWords = Record<
  | 'frame'
  | 'safe'
  | 'download'
  | 'downloadAscii'
  | 'print'
  | 'open'
  | 'zoom'
  | 'notShown'
  | 'noViewer'
  | 'noViewerText',
  string
> & { zoomTo: Record<Zoom, string> };

type Zoom = 'small' | 'normal' | 'large';

/**
 * The iframe is drawn larger or smaller and scaled to fit: the sandboxed document itself cannot be
 * reached.
 */
const ZOOMS: Record<Zoom, string> = {
  small: 'w-[133.34%] h-[133.34%] scale-75',
  normal: 'w-full h-full',
  large: 'w-[66.67%] h-[66.67%] scale-150',
};
const PERCENT: Record<Zoom, string> = { small: '75%', normal: '100%', large: '150%' };

const ZOOM_BUTTON =
  'min-h-8 rounded-control px-2.5 text-label font-medium text-muted tabular-nums ' +
  'hover:text-ink aria-pressed:bg-draft-ground aria-pressed:text-ink ' +
  'pointer-coarse:min-h-11';

/**
 * HTML in a fully sandboxed iframe; a PDF in the browser's own viewer, or as a download where there
 * is none.
 */
export function Viewer({
  source,
  format,
  words,
}: {
  source: string;
  format: 'pdf' | 'html';
  words: ViewerWords;
}): ReactNode {
  const [zoom, setZoom] = useState<Zoom>('normal');
  const showsPdf = useSyncExternalStore(
    neverChanges,
    () => navigator.pdfViewerEnabled,
    () => null,
  );
  const printable = format === 'html';
  return (
    <Panel className="print:border-0">
      <ViewerBar
        source={source}
        words={words}
        printable={printable}
        showsPdf={showsPdf}
        zoom={zoom}
        onZoom={setZoom}
      />
      {printable ? (
        <HtmlDocument source={source} words={words} zoom={zoom} />
      ) : (
        <PdfDocument source={source} words={words} shows={showsPdf} />
      )}
    </Panel>
  );
}

/** What can be done with the document: zoom, print or open, download. */
function ViewerBar({
  source,
  words,
  printable,
  showsPdf,
  zoom,
  onZoom,
}: {
  source: string;
  words: ViewerWords;
  printable: boolean;
  showsPdf: boolean | null;
  zoom: Zoom;
  onZoom: (zoom: Zoom) => void;
}): ReactNode {
  return (
    <div className="no-print flex flex-wrap items-center justify-between gap-2 border-b border-hairline px-4 py-2">
      {printable ? (
        <div role="group" aria-label={words.zoom} className="flex gap-1">
          {(Object.keys(ZOOMS) as Zoom[]).map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={one === zoom}
              aria-label={words.zoomTo[one]}
              onClick={() => onZoom(one)}
              className={ZOOM_BUTTON}
            >
              {PERCENT[one]}
            </button>
          ))}
        </div>
      ) : (
        <span />
      )}
      <div className="flex flex-wrap gap-2">
        {printable && (
          <Button onClick={() => window.print()}>
            <Printer aria-hidden className="size-4" />
            {words.print}
          </Button>
        )}
        {!printable && showsPdf && (
          <FileButton href={source} target="_blank" rel="noreferrer">
            <Printer aria-hidden className="size-4" />
            {words.open}
          </FileButton>
        )}
        <FileButton look="ghost" href={`${source}?download=ascii`} download>
          {words.downloadAscii}
        </FileButton>
      </div>
    </div>
  );
}

function HtmlDocument({
  source,
  words,
  zoom,
}: {
  source: string;
  words: ViewerWords;
  zoom: Zoom;
}): ReactNode {
  return (
    <>
      <div className="h-[70vh] min-h-96 overflow-auto rounded-b-panel bg-white print:h-[250mm]">
        <iframe
          src={source}
          title={words.frame}
          sandbox=""
          referrerPolicy="no-referrer"
          className={`block origin-top-left border-0 print:h-full print:w-full print:scale-100 ${ZOOMS[zoom]}`}
        />
      </div>
      <p className="no-print border-t border-hairline px-4 py-2 text-label text-muted">
        {words.safe}
      </p>
    </>
  );
}

/** `shows`: whether the browser has a viewer of its own; null until it is known. */
function PdfDocument({
  source,
  words,
  shows,
}: {
  source: string;
  words: ViewerWords;
  shows: boolean | null;
}): ReactNode {
  if (shows === null) return <div className="h-[75vh] min-h-96" />;
  if (!shows)
    return (
      <EmptyState
        title={words.noViewer}
        actions={
          <FileButton href={`${source}?download=1`} download look="primary">
            {words.download}
          </FileButton>
        }
      >
        {words.noViewerText}
      </EmptyState>
    );
  return (
    <>
      {/* The `sandbox` attribute would keep the browser's PDF viewer from starting; the response
          itself carries the same sandbox. */}
      {/* oxlint-disable-next-line react/iframe-missing-sandbox */}
      <iframe
        src={`${source}#navpanes=0&view=FitH`}
        title={words.frame}
        referrerPolicy="no-referrer"
        className="block h-[75vh] min-h-96 w-full border-0 bg-white"
      />
      <p className="no-print border-t border-hairline px-4 py-2 text-label text-muted">
        {words.notShown}
      </p>
    </>
  );
}

/**
 * Whether a browser shows PDFs does not change while a page is open; on the server it is unknown.
 */
function neverChanges(): () => void {
  return () => undefined;
}
