import { ApiError, type VideoUpload } from '@tendon/sdk'
import { useEffect, useRef, useState } from 'react'
import type { DetailedError, Upload } from 'tus-js-client'
import { useTranslations } from 'use-intl'
import { signInGate } from '#ui/api/gates.ts'
import { useRefresh, useWrite } from '#ui/api/hooks.ts'
import { appName } from '#ui/app.ts'
import { toast } from '#ui/feedback/toasts.tsx'
import { useUnsavedGuard } from '#ui/feedback/use-unsaved-guard.ts'
import { useClinic } from '#ui/session/clinic.tsx'

const TUS = { 'tus-resumable': '1.0.0' }
const CHUNK_BYTES = 8 * 1024 * 1024
/** Half a minute in all; then the person decides. */
const RETRY_DELAYS_MS = [0, 1_000, 3_000, 8_000, 15_000]

interface State {
  /** Idle: nothing of this page is on its way. */
  status: 'idle' | 'uploading' | 'paused' | 'finishing'
  name: string
  sent: number
  total: number
  error: ApiError | null
}

const IDLE: State = { status: 'idle', name: '', sent: 0, total: 0, error: null }

/** Uploads the video of an exercise by the tus protocol. The server knows how far it is: nothing is kept in the browser. */
export function useVideoUpload(exerciseId: string, unfinished: VideoUpload | undefined) {
  const t = useTranslations('console.settings.video')
  const { id: clinicId } = useClinic()
  const current = useRef<Upload>(undefined)
  const [state, setState] = useState(IDLE)
  const refresh = useRefresh()
  const reread = () => refresh(['/v1/exercises'])
  const finishing = useWrite('POST /v1/exercises/{id}/video/uploads/{uploadId}/finish')
  const cancelling = useWrite('DELETE /v1/exercises/{id}/video/uploads/{uploadId}')
  useUnsavedGuard(state.status === 'uploading', { text: () => t('leave') })
  // Leaving the page keeps what has arrived.
  useEffect(
    () => () => {
      void current.current?.abort()
      current.current = undefined
    },
    [],
  )

  async function start(file: File): Promise<void> {
    const tus = await import('tus-js-client').catch(() => undefined)
    if (!tus) return setState({ ...IDLE, error: new ApiError(0, undefined, new Headers()) })
    const metadata = { filename: file.name, filetype: file.type, lastmodified: String(file.lastModified) }
    const endpoint = `/v1/exercises/${exerciseId}/video/uploads`
    const upload = new tus.Upload(file, {
      endpoint,
      ...(unfinished && isSame(unfinished, file) ? { uploadUrl: `${endpoint}/${unfinished.id}` } : {}),
      headers: { 'x-tendon-web': appName(), 'x-organization-id': clinicId },
      metadata,
      chunkSize: CHUNK_BYTES,
      retryDelays: RETRY_DELAYS_MS,
      storeFingerprintForResuming: false,
      onProgress: (sent, total) => setState((before) => ({ ...before, sent, total: total ?? file.size })),
      onShouldRetry: (error) => isTransient(statusOf(error)),
      onError: (error) => void failed(upload, errorOf(error)),
      onSuccess: () => void finish(idOf(upload)),
    })
    current.current = upload
    setState({ status: 'uploading', name: file.name, sent: 0, total: file.size, error: null })
    upload.start()
  }

  async function failed(upload: Upload, error: ApiError): Promise<void> {
    const isSignedIn = error.status === 401 && (await signInGate.wait(true))
    if (current.current !== upload) return // cancelled or left meanwhile
    if (isSignedIn) return upload.start()
    if (isTransient(error.status)) return setState((before) => ({ ...before, status: 'paused', error }))
    current.current = undefined
    setState({ ...IDLE, error })
    await reread()
  }

  async function finish(uploadId: string): Promise<void> {
    current.current = undefined
    setState((before) => ({
      ...before,
      status: 'finishing',
      name: before.name || (unfinished?.metadata.filename ?? t('unnamed')),
      sent: before.total || (unfinished?.length ?? 0),
      total: before.total || (unfinished?.length ?? 0),
      error: null,
    }))
    try {
      await finishing.mutateAsync({ params: { id: exerciseId, uploadId } })
      toast({ text: t('saved') })
      setState(IDLE)
    } catch (error) {
      setState({ ...IDLE, error: error instanceof ApiError ? error : null })
    }
    await reread()
  }

  async function cancel(unfinishedId: string | undefined): Promise<void> {
    const running = current.current
    current.current = undefined
    await running?.abort()
    // One that has not begun on the server has nothing to delete, least of all an earlier upload.
    const uploadId = running ? (running.url ? idOf(running) : undefined) : unfinishedId
    try {
      if (uploadId !== undefined) await cancelling.mutateAsync({ params: { id: exerciseId, uploadId }, headers: TUS })
      toast({ text: t('cancelled') })
      setState(IDLE)
    } catch (error) {
      setState({ ...IDLE, error: error instanceof ApiError ? error : null })
    }
    await reread()
  }

  return {
    ...state,
    /** Whether the file would take the place of an upload that is not finished. */
    replaces: (file: File) => unfinished !== undefined && !isSame(unfinished, file),
    start,
    finish: (uploadId: string) => void finish(uploadId),
    cancel,
    pause: () => {
      void current.current?.abort()
      setState((before) => ({ ...before, status: 'paused' }))
    },
    resume: () => {
      setState((before) => ({ ...before, status: 'uploading', error: null }))
      current.current?.start()
    },
  }
}

const idOf = (upload: Upload | undefined): string => upload?.url?.split('/').at(-1) ?? ''

/** The file whose first part has arrived. Another file with its name would be mixed with it. */
const isSame = ({ length, metadata }: VideoUpload, file: File): boolean =>
  length === file.size && metadata.filename === file.name && metadata.lastmodified === String(file.lastModified)

const isDetailed = (error: Error): error is DetailedError => 'originalResponse' in error
const responseOf = (error: Error) => (isDetailed(error) ? error.originalResponse : undefined)
const statusOf = (error: Error): number => responseOf(error)?.getStatus() ?? 0

/** No answer, a busy server, or a part of which the answer was lost. */
const isTransient = (status: number): boolean => status === 0 || status >= 500 || [409, 429].includes(status)

function errorOf(error: Error): ApiError {
  const response = responseOf(error)
  const text = response?.getBody() ?? ''
  return new ApiError(statusOf(error), jsonOf(text), new Headers())
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
