'use client';

import { useId } from 'react';
import type { ReactNode } from 'react';
import { PLOT, TOP } from './drawing.ts';
import type { Bar, BarLook, Drawing } from './drawing.ts';

const HEIGHT = TOP + PLOT + 8;
const MARK_RIGHT = 76;

/**
 * Prints a chart. Not a server component, for the reason in `components/ui/drawing.tsx`; it is drawn
 * on the server all the same. `tooltips`: one for each day.
 */
export function Plot({
  drawing,
  tooltips,
}: {
  drawing: Drawing;
  tooltips: readonly string[];
}): ReactNode {
  const { label, days, marks, unknown, lines, dot, beyond, bars } = drawing;
  const hatch = useId();
  return (
    <div className="grid grid-cols-[5rem_minmax(0,1fr)]">
      <Scale marks={marks} />
      <div className="relative">
        <svg
          role="img"
          aria-label={label}
          width="100%"
          height={HEIGHT}
          className="block overflow-visible"
        >
          <Patterns id={hatch} bars={bars} />
          {marks.map((mark) => (
            <GridLine key={mark.y} mark={mark} />
          ))}
          {unknown.map((span) => (
            <UnknownSpan key={span.x} span={span} />
          ))}
          {lines.map((line) => (
            <line
              key={line.x1}
              {...line}
              strokeWidth={2}
              strokeLinecap="round"
              className="stroke-accent"
            />
          ))}
          {dot && (
            <circle
              cx={dot.x}
              cy={dot.y}
              r={3.5}
              strokeWidth={2}
              className="fill-surface stroke-accent"
            />
          )}
          {bars.map((bar) => (
            <BarOf key={bar.x + bar.look} bar={bar} pattern={`url(#${hatch}${bar.look})`} />
          ))}
          {beyond.map((point) => (
            <Beyond key={point.x} point={point} />
          ))}
        </svg>
        <div aria-hidden className="absolute inset-0 flex">
          {tooltips.map((text) => (
            <span key={text} title={text} className="min-w-0 flex-1" />
          ))}
        </div>
      </div>
      <DayNames days={days} count={tooltips.length} />
    </div>
  );
}

/** The names of the first, the middle and the last of `count` days, each below its own day. */
function DayNames({ days, count }: { days: readonly string[]; count: number }): ReactNode {
  const last = count - 1;
  const middle = days.length > 2 ? Math.floor(last / 2) : 0;
  return (
    <p aria-hidden className="col-start-2 flex text-[0.6875rem] text-muted tabular-nums">
      {Array.from({ length: count }, (_, day) => (
        <span
          key={day}
          className={`flex min-w-0 flex-1 whitespace-nowrap ${
            day === 0 ? '' : day === last ? 'justify-end' : 'justify-center'
          }`}
        >
          {day === 0 ? days[0] : day === last ? days.at(-1) : day === middle ? days[1] : null}
        </span>
      ))}
    </p>
  );
}

const FILL: Record<BarLook, string> = {
  in: 'fill-accent',
  out: 'fill-control',
  completed: 'fill-settled',
  pending: 'fill-progress',
  rejected: 'fill-failed',
  failed: 'fill-failed',
  unknown: 'fill-unknown',
};
const STROKE: Record<BarLook, string> = {
  in: 'stroke-accent',
  out: 'stroke-control',
  completed: 'stroke-settled',
  pending: 'stroke-progress',
  rejected: 'stroke-failed',
  failed: 'stroke-failed',
  unknown: 'stroke-unknown',
};
/** The angle of the stripes of a look that is striped always, so that colour is not all. */
const STRIPES: Partial<Record<BarLook, number>> = { pending: 45, rejected: 90, unknown: 0 };
const TODAY_ANGLE = 45;

function GridLine({ mark: { y, zero } }: { mark: Drawing['marks'][number] }): ReactNode {
  return (
    <line x1="0" x2="100%" y1={y} y2={y} className={zero ? 'stroke-control' : 'stroke-hairline'} />
  );
}

/** The amounts at the left of the plot. */
function Scale({ marks }: Pick<Drawing, 'marks'>): ReactNode {
  return (
    <svg aria-hidden height={HEIGHT} className="w-20 fill-muted text-[0.6875rem] tabular-nums">
      {marks.map(({ y, text }) => (
        <text key={y} x={MARK_RIGHT} y={y} dy="0.32em" textAnchor="end">
          {text}
        </text>
      ))}
    </svg>
  );
}

/** The stripes that the bars need: of some looks, and of a day that is not over. */
function Patterns({
  id,
  bars,
}: {
  id: string;
  bars: readonly Pick<Bar, 'look' | 'today'>[];
}): ReactNode {
  const looks = new Set(
    bars.flatMap(({ look, today }) => (today || look in STRIPES ? [look] : [])),
  );
  return (
    <defs>
      {[...looks].map((look) => (
        <pattern
          key={look}
          id={`${id}${look}`}
          width="5"
          height="5"
          patternUnits="userSpaceOnUse"
          patternTransform={`rotate(${STRIPES[look] ?? TODAY_ANGLE})`}
        >
          <rect width="2" height="5" className={FILL[look]} />
        </pattern>
      ))}
    </defs>
  );
}

/** What the looks of the bars mean. */
export function Legend({
  items,
}: {
  items: readonly { look: BarLook; text: string }[];
}): ReactNode {
  const id = useId();
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-label text-muted tabular-nums">
      {items.map(({ look, text }) => (
        <li key={look} className="inline-flex items-center gap-1.5">
          <svg aria-hidden width="12" height="12" className="shrink-0">
            <Patterns id={id} bars={[{ look, today: false }]} />
            <rect
              x="0.5"
              y="0.5"
              width="11"
              height="11"
              rx="2"
              {...paint(look, look in STRIPES, `url(#${id}${look})`)}
            />
          </svg>
          {text}
        </li>
      ))}
    </ul>
  );
}

function paint(
  look: BarLook,
  isStriped: boolean,
  pattern: string,
): { fill?: string; className: string } {
  return isStriped ? { fill: pattern, className: STROKE[look] } : { className: FILL[look] };
}

/** Days of which nothing is known. */
function UnknownSpan({
  span: { x, width, words },
}: {
  span: Drawing['unknown'][number];
}): ReactNode {
  return (
    <g>
      <rect
        x={x}
        width={width}
        y={TOP}
        height={PLOT}
        strokeDasharray="3 3"
        className="fill-unknown-ground stroke-control"
      />
      {words && (
        <text
          x={words.x}
          y={TOP + PLOT / 2}
          textAnchor="middle"
          className="fill-unknown text-[0.6875rem]"
        >
          {words.text}
        </text>
      )}
    </g>
  );
}

function BarOf({
  bar: { today, side, look, cut, ...place },
  pattern,
}: {
  bar: Bar;
  pattern: string;
}): ReactNode {
  return (
    <>
      <rect {...place} {...paint(look, today || look in STRIPES, pattern)} />
      {cut && <CutMark bar={place} side={side} cut={cut} />}
    </>
  );
}

/** A balance beyond the plot: a ring at the edge, and the amount towards the wider half. */
function Beyond({
  point: { x, y, text, inside },
}: {
  point: Drawing['beyond'][number];
}): ReactNode {
  const isRight = Number.parseFloat(x) > 50;
  return (
    <>
      <circle cx={x} cy={y} r={3} strokeWidth={1.5} className="fill-surface stroke-control" />
      <text
        x={x}
        y={y + inside * 4}
        dx={isRight ? -8 : 8}
        dy="0.32em"
        textAnchor={isRight ? 'end' : 'start'}
        className="fill-ink text-[0.6875rem] tabular-nums"
      >
        {text}
      </text>
    </>
  );
}

/** A gap near the end of the bar, and the amount beside it, towards the wider half of the plot. */
function CutMark({
  bar: { x, width },
  side,
  cut: { text, y },
}: {
  bar: Pick<Bar, 'x' | 'width'>;
  side: Bar['side'];
  cut: NonNullable<Bar['cut']>;
}): ReactNode {
  const isRight = Number.parseFloat(x) > 50;
  const inside = side === 'in' ? 1 : -1;
  const textX = isRight ? x : `${Number.parseFloat(x) + Number.parseFloat(width)}%`;
  return (
    <>
      <rect x={x} width={width} y={y + inside * 10 - 1.5} height={3} className="fill-surface" />
      <text
        x={textX}
        y={y + inside * 4}
        dx={isRight ? -4 : 4}
        dy="0.32em"
        textAnchor={isRight ? 'end' : 'start'}
        className="fill-ink text-[0.6875rem] tabular-nums"
      >
        {text}
      </text>
    </>
  );
}
