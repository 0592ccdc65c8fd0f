import type { ComponentType, ReactNode, SVGProps } from 'react';

/** The icon data that the library exports. */
type IconData = { node: readonly (readonly [tag: string, attributes: Record<string, string>])[] };

declare module 'lucide-react/icons/*' {
  const __iconData: IconData;
}

export type Icon = ComponentType<{ className?: string; 'aria-hidden'?: boolean }>;

/**
 * An icon drawn without the library's components: those are client components, so a server-rendered
 * list would send a reference for each icon, too much for icons in every row of every page.
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
