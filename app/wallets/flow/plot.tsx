'use client';

import { useId } from 'react';
import type { ReactNode } from 'react';
import { PLOT, TOP } from './drawing.ts';
import type { Bar, Drawing } from './drawing.ts';

const HEIGHT = TOP + PLOT + 8;
const MARK_RIGHT = 76;

/**
 * Prints a chart. Not a server component: what the server streams into the middle of an SVG is
 * wrapped in a style attribute, which the content security policy forbids. It is drawn on the
 * server in one piece. `tooltips`: one for each day.
 */
export function Plot({
  drawing,
  tooltips,
}: {
  drawing: Drawing;
  tooltips: readonly string[];
}): ReactNode {
  const { label, days, marks, unknown, lines, dot, bars } = drawing;
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
          <Hatches id={hatch} />
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
            <BarOf key={bar.x + bar.side} bar={bar} hatch={`url(#${hatch}${bar.side})`} />
          ))}
        </svg>
        <div aria-hidden className="absolute inset-0 flex">
          {tooltips.map((text) => (
            <span key={text} title={text} className="min-w-0 flex-1" />
          ))}
        </div>
      </div>
      <p
        aria-hidden
        className="col-start-2 flex justify-between text-[0.6875rem] text-muted tabular-nums"
      >
        {days.map((day) => (
          <span key={day}>{day}</span>
        ))}
      </p>
    </div>
  );
}

const FILL = { in: 'fill-accent', out: 'fill-control' };
const STROKE = { in: 'stroke-accent', out: 'stroke-control' };

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

/** The patterns of today's bars: the day is not over. */
function Hatches({ id }: { id: string }): ReactNode {
  return (
    <defs>
      {(['in', 'out'] as const).map((side) => (
        <pattern
          key={side}
          id={`${id}${side}`}
          width="5"
          height="5"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <rect width="2" height="5" className={FILL[side]} />
        </pattern>
      ))}
    </defs>
  );
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
  bar: { today, side, cut, ...place },
  hatch,
}: {
  bar: Bar;
  hatch: string;
}): ReactNode {
  return (
    <>
      {today ? (
        <rect {...place} fill={hatch} className={STROKE[side]} />
      ) : (
        <rect {...place} className={FILL[side]} />
      )}
      {cut && <CutMark bar={place} side={side} cut={cut} />}
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
