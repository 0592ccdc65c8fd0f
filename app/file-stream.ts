/**
 * A file in pieces, pulled by the client: with a slow connection only a few pieces are in memory,
 * not the whole file.
 */
export function streamOf(pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull: async (to) => {
      const { done, value } = await pieces.next();
      if (done) to.close();
      else to.enqueue(value);
    },
    cancel: async () => void (await pieces.return(undefined)),
  });
}
