/** Where videos are kept and played from. A row names a video by `video_provider` and the host's reference to it. */
export interface VideoHost {
  /** `video_provider` of its videos. */
  readonly provider: string
  /** Takes over a file that has been uploaded into the object store. Throws `UnplayableVideo`, and has then kept nothing. */
  begin(file: VideoFile): Promise<HostedVideo>
  /**
   * Makes it ready to be played, or asks whether it is; a job calls it once the row is written. `later`: not yet, ask
   * again. `as_it_is`: nothing is to be changed. Bears repeating.
   */
  finish(reference: string, signal: AbortSignal): Promise<VideoAddresses | 'later' | 'as_it_is'>
  /** Everything of it. What is gone already is no error. */
  delete(reference: string): Promise<void>
}

export interface VideoFile {
  key: string
  mime: string
}

/** As rows hold them: see media-urls.ts. */
export interface VideoAddresses {
  video_url: string
  video_thumbnail_url: string | null
}

export interface HostedVideo extends VideoAddresses {
  reference: string
  video_duration_seconds: number | null
}

/** `message` finishes "The video …", for the sender. */
export class UnplayableVideo extends Error {
  override name = 'UnplayableVideo'
}
