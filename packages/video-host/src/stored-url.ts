// Rows hold no URL of a file that needs a signature, but where the file is: `object:<key>` in the object store, and
// `bunny:<path>` at the video host. A URL is signed when somebody who may read the row reads it.

export const OBJECT = 'object:'
export const BUNNY = 'bunny:'

export const storedUrl = (key: string): string => `${OBJECT}${key}`

/** The key in the object store; undefined for a file that is elsewhere. */
export const storedKey = (url: string): string | undefined =>
  url.startsWith(OBJECT) ? url.slice(OBJECT.length) : undefined

export const PLAYLIST_TYPE = 'application/vnd.apple.mpegurl'
export const MASTER_PLAYLIST = 'master.m3u8'
