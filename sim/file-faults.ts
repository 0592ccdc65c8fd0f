/**
 * What happens to a file of payouts: rows that pay persons, pauses, stops and retries by people,
 * numbers that lead to another wallet, approvers who send it back, and a balance that others empty.
 */
export const FILE_FAULTS = {
  batch: [1, 1],
  batchPause: [0.02, 0.3],
  batchStop: [0.01, 0.1],
  batchRetry: [0.3, 1],
  emptied: [0.3, 1],
  batchPeople: [0.1, 0.7],
  numberMoves: [0.05, 0.5],
  // Where a policy asks for approvals of the file.
  fileSentBack: [0.2, 0.8],
  rowTakenOut: [0.2, 0.6],
  rowPutBack: [0.2, 0.6],
  fileTampered: [0.1, 0.5],
} as const satisfies Record<string, readonly [number, number]>;
