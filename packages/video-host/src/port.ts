/** Stores and plays the uploaded videos of exercises. A row names a video by `video_provider` and the host's reference. */
export interface VideoHost {
  /** `video_provider` of its videos. */
  readonly provider: string
  /** Takes over a file that has been uploaded into the object store. Throws `UnplayableVideo`, and has then kept nothing. */
  begin(file: VideoFile): Promise<HostedVideo>
  /**
   * Converts the video, or asks whether the conversion has ended; a job calls it after the row is written. `later`: call
   * again soon. `uploaded`: the host has just received it. `transcoding`: the host is working; call again after its webhook, or
   * at the next backstop poll. `as_it_is`: the URLs do not change. May be called repeatedly. Throws `HostError` when the host
   * does not answer.
   */
  finish(reference: string, tools: FinishTools): Promise<VideoUrls | 'later' | 'uploaded' | 'transcoding' | 'as_it_is'>
  /** Deletes everything of the video. A video that does not exist is no error. */
  delete(reference: string): Promise<void>
}

export interface FinishTools {
  signal: AbortSignal
  /** False: the host has lost the video too often. */
  mayUpload: boolean
  /** Called before the upload, with the name that the host's webhook will use. */
  saveHostReference: (hostReference: string) => Promise<void>
}

export interface VideoFile {
  key: string
  mime: string
}

/** The format of stored URLs; see media-urls.ts. */
export interface VideoUrls {
  video_url: string
  video_thumbnail_url: string | null
}

export interface HostedVideo extends VideoUrls {
  reference: string
  video_duration_seconds: number | null
}

/** `message` finishes "The video …", for the sender. */
export class UnplayableVideo extends Error {
  override name = 'UnplayableVideo'
}

/** `message` finishes "The file …", for the sender. */
export class UnplayableSound extends Error {
  override name = 'UnplayableSound'
}

/** Stores composed videos. Where they play follows from provider and reference: see playback.ts. */
export interface RenderHost {
  readonly provider: string
  /** The form in which it takes a render. */
  readonly takes: 'hls' | 'mp4'
  /** Returns the reference. A second call for the same render returns the same reference. */
  create(renderId: string): Promise<string>
  upload(reference: string, files: RenderFiles, signal: AbortSignal): Promise<void>
  status(reference: string): Promise<RenderHostStatus>
  /** A render that does not exist is no error. */
  delete(reference: string): Promise<void>
}

/** `missing`: the host does not know it; `empty`: it was created, and has no content yet. */
export type RenderHostStatus = 'missing' | 'empty' | 'working' | 'ready' | 'failed'

export interface RenderFiles {
  folder: string
  /** Names in the folder. The master playlist of HLS is `master.m3u8`; an MP4 is `video.mp4`; the poster `poster.jpg`. */
  names: readonly string[]
  captions: readonly { language: string; name: string }[]
}

interface HostErrorOptions extends ErrorOptions {
  /** How long the host asked to be left alone. */
  retryAfterMs?: number | undefined
}

/** The host refused or did not answer. The message holds no secret. */
export class HostError extends Error {
  override name = 'HostError'
  readonly status: number | undefined
  readonly retryAfterMs: number | undefined
  constructor(message: string, status?: number, options: HostErrorOptions = {}) {
    super(message, options)
    this.status = status
    this.retryAfterMs = options.retryAfterMs
  }
}

/** The host was not asked, because it wants to be left alone. */
export class HostPaused extends HostError {
  override name = 'HostPaused'
  constructor(retryAfterMs: number) {
    super('the video host asked to wait', undefined, { retryAfterMs })
  }
}
