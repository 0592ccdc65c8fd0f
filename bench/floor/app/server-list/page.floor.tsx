import type { ReactNode } from 'react';
import { COLUMNS, findRows } from '../../rows.ts';

export const dynamic = 'force-dynamic';

export default function Page(): ReactNode {
  const { rows, total } = findRows({ offset: 0, sort: '', text: '' });
  return (
    <main>
      <table className="w-full text-sm">
        <thead>
          <tr>
            {COLUMNS.map((column) => (
              <th key={column}>{column}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} className="border-t">
              {COLUMNS.map((column) => (
                <td key={column} className="p-2">
                  {row[column]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {total}
    </main>
  );
}
