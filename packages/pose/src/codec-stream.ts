import { BatchError, nextBatchBytes } from './codec.ts'

/** The batches of a replay as its bytes come in, each whole and unchecked. Throws `BatchError` when they do not add up. */
export async function* splitBatches(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let left = new Uint8Array(0)
  for await (const chunk of chunks) {
    left = joined(left, chunk)
    for (let bytes = nextBatchBytes(left); bytes !== undefined && bytes <= left.length; bytes = nextBatchBytes(left)) {
      yield left.slice(0, bytes)
      left = left.subarray(bytes)
    }
  }
  if (left.length > 0) throw new BatchError('malformed_batch')
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(one.length + other.length)
  both.set(one)
  both.set(other, one.length)
  return both
}
