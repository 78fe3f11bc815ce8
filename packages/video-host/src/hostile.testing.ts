/** A box of an MP4; `bytes` where it claims another length than it has. */
export function box(type: string, content: Buffer, bytes = content.length + 8): Buffer {
  const header = Buffer.alloc(8)
  header.writeUInt32BE(bytes, 0)
  header.write(type, 4, 'latin1')
  return Buffer.concat([header, content])
}

/** An MP4 with so many video tracks that hold nothing. */
export function manyStreams(count: number): Buffer {
  const media = Buffer.alloc(24)
  media.writeUInt32BE(1_000, 12)
  const handler = Buffer.alloc(25)
  handler.write('vide', 8, 'latin1')
  const track = box('trak', box('mdia', Buffer.concat([box('mdhd', media), box('hdlr', handler)])))
  const tracks = Buffer.alloc(track.length * count)
  for (let n = 0; n < count; n += 1) track.copy(tracks, n * track.length)
  return Buffer.concat([box('ftyp', Buffer.from('isom\0\0\0\0isom', 'latin1')), box('moov', tracks)])
}
