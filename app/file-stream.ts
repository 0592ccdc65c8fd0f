/**
 * A file as its pieces come, pulled by whoever downloads: a slow line holds a few of them, not all.
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
