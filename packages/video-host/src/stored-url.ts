// Rows hold no URL of a file that needs a signature, but where the file is: `object:<key>` in the object store, and
// `bunny:<path>` at the video host. A URL is signed when somebody who may read the row reads it.

export const OBJECT = 'object:'
export const BUNNY = 'bunny:'

export const storedUrl = (key: string): string => `${OBJECT}${key}`

export const PLAYLIST_TYPE = 'application/vnd.apple.mpegurl'
export const MASTER_PLAYLIST = 'master.m3u8'
