import type { ComponentType, ReactNode, SVGProps } from 'react';
import { Strokes } from './drawing.tsx';

/** The icon data that the library exports. */
type IconData = { node: readonly (readonly [tag: string, attributes: Record<string, string>])[] };

declare module 'lucide-react/icons/*' {
  const __iconData: IconData;
}

export type Icon = ComponentType<{ className?: string; 'aria-hidden'?: boolean }>;

/**
 * An icon drawn without the library's components, each of which is a client component of its own
 * script. Its shapes are one path, because every element of a list is parsed, styled and laid out 25
 * times and more.
 */
export function drawn({ node }: IconData): Icon {
  const path = node.map(([tag, attributes]) => asPath(tag, attributes)).join('');
  return function Drawn(props: SVGProps<SVGSVGElement>): ReactNode {
    return <Strokes d={path} {...props} />;
  };
}

/** The attributes that a shape may have: any other would be lost in a common path. */
const KNOWN = new Set('key d cx cy r x y width height rx ry x1 y1 x2 y2'.split(' '));

/**
 * The outline of a shape of the library as path data that does not depend on what precedes it.
 *
 * @throws Error for a shape that the product does not draw yet
 */
export function asPath(tag: string, attributes: Record<string, string>): string {
  const unknown = Object.keys(attributes).find((name) => !KNOWN.has(name));
  if (unknown !== undefined) throw new Error(`an icon's <${tag}> has ${unknown}`);
  const of = (name: string): number => Number(attributes[name] ?? 0);
  switch (tag) {
    case 'path':
      return fromItsOwnPoint(attributes['d']!);
    case 'circle': {
      const r = of('r');
      return `M${of('cx') - r} ${of('cy')}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
    }
    case 'rect': {
      const r = of('rx');
      const [across, down] = [of('width') - 2 * r, of('height') - 2 * r];
      const turn = (x: number, y: number): string => (r === 0 ? '' : `a${r} ${r} 0 0 1 ${x} ${y}`);
      return (
        `M${of('x') + r} ${of('y')}h${across}${turn(r, r)}v${down}${turn(-r, r)}` +
        `h${-across}${turn(-r, -r)}v${-down}${turn(r, -r)}z`
      );
    }
    case 'line':
      return `M${of('x1')} ${of('y1')}L${of('x2')} ${of('y2')}`;
    default:
      throw new Error(`an icon has a <${tag}>`);
  }
}

const FIRST_POINT = /^m\s*(-?(?:\d+\.?\d*|\.\d+)[\s,]*-?(?:\d+\.?\d*|\.\d+))(.*)$/s;

/** Path data whose first point is absolute; the points that follow it stay relative to it. */
function fromItsOwnPoint(data: string): string {
  const [, first, rest] = FIRST_POINT.exec(data) ?? [];
  if (first === undefined) return data;
  return `M${first}${/^[\s,]*[-\d.]/.test(rest!) ? 'l' : ''}${rest}`;
}
