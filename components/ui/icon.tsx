import type { ComponentType, ReactNode, SVGProps } from 'react';

/** What the library knows of an icon. */
type IconData = { node: readonly (readonly [tag: string, attributes: Record<string, string>])[] };

declare module 'lucide-react/icons/*' {
  const __iconData: IconData;
}

export type Icon = ComponentType<{ className?: string; 'aria-hidden'?: boolean }>;

/**
 * An icon drawn by itself. The library's own components read a context and are code for the
 * browser, so that a server that draws a list hands each of them over as a reference: too much for
 * what stands in every row and on every page.
 */
export function drawn({ node }: IconData): Icon {
  return function Drawn(props: SVGProps<SVGSVGElement>): ReactNode {
    return (
      <svg
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth={2}
        strokeLinecap="round"
        strokeLinejoin="round"
        {...props}
      >
        {node.map(([Tag, { key, ...attributes }]) => (
          <Tag key={key} {...attributes} />
        ))}
      </svg>
    );
  };
}
