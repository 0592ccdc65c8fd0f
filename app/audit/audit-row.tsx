'use client';

import { ChevronDown } from 'lucide-react';
import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import { Cell, Row } from '#components/ui/table.tsx';

const FOLD_BUTTON =
  'inline-flex min-h-7 items-center gap-1 rounded-control px-1.5 text-label font-medium ' +
  'text-muted hover:bg-draft-ground hover:text-ink pointer-coarse:min-h-11 max-sm:-ml-1.5';

/** One entry; its details are folded below. */
export function AuditRow({
  cells,
  detail,
  columns,
  word,
  label,
}: {
  cells: ReactNode;
  detail: ReactNode;
  columns: number;
  word: string;
  label: string;
}): ReactNode {
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <Row>
        {cells}
        <Cell>
          <button
            type="button"
            aria-expanded={open}
            aria-controls={id}
            aria-label={label}
            title={label}
            onClick={() => setOpen(!open)}
            className={FOLD_BUTTON}
          >
            <span className="sm:hidden">{word}</span>
            <ChevronDown
              aria-hidden
              className={`size-4 transition-transform duration-150 ${open ? 'rotate-180' : ''}`}
            />
          </button>
        </Cell>
      </Row>
      <tr id={id} hidden={!open} className="border-b border-hairline bg-raised">
        {open && (
          <td colSpan={columns} className="p-0">
            {detail}
          </td>
        )}
      </tr>
    </>
  );
}
