import type { DataClass } from '../../../platform/data-class.ts'

const WHILE_RESTRICTED =
  'no run can start while processing is restricted, but telemetry still stores what a started run sends, and the run can end'

const PLAYBACK = [
  'started_at',
  'ended_at',
  'startup_ms',
  'rebuffer_count',
  'rebuffer_ms',
  'rebuffer_pct',
  'watch_seconds',
  'unique_seconds',
  'quality_switches',
  'dropped_frames',
  'total_frames',
  'dropped_frame_pct',
  'hidden_ms',
  'created_at',
]

const telemetry = (table: DataClass['table'], label: DataClass['label'], columns: readonly string[]): DataClass => ({
  name: table,
  table,
  label,
  patientColumn: 'patient_profile_id',
  export: { rows: ['run_id', ...columns] },
  erase: { strategy: 'delete' },
  letThrough: WHILE_RESTRICTED,
})

/** Data of camera and player. All of it is erased: its legal basis is consent or a legitimate interest. */
export const telemetryDataClasses: readonly DataClass[] = [
  {
    name: 'run_manifests',
    table: 'run_manifests',
    label: { en: 'Camera settings', ro: 'Setările camerei' },
    patientColumn: 'patient_profile_id',
    export: {
      leftOut: {
        en: 'The camera settings of each exercise of a session; the exercises are listed in the treatment plan.',
        ro: 'Setările fiecărui exercițiu dintr-o ședință; exercițiile se află în planul de tratament.',
      },
    },
    erase: { strategy: 'delete' },
  },
  telemetry(
    'run_finalisations',
    { en: 'When recordings of sessions were completed', ro: 'Când au fost încheiate înregistrările ședințelor' },
    ['version', 'reason', 'ended_at', 'is_damaged', 'events', 'claimed_at', 'flushed_at'],
  ),
  telemetry(
    'media_session_metrics',
    { en: 'How the videos of a session played', ro: 'Cum au rulat filmele unei ședințe' },
    ['is_complete', 'end_reason', 'event_count', ...PLAYBACK],
  ),
  telemetry('media_item_metrics', { en: 'How each video played', ro: 'Cum a rulat fiecare film' }, [
    'media_id',
    'watched_pct',
    'start_data',
    ...PLAYBACK,
  ]),
  telemetry('media_buffering_events', { en: 'Interruptions of videos', ro: 'Întreruperi ale filmelor' }, [
    'media_id',
    'ordinal',
    'reason',
    'started_at',
    'position_seconds',
    'duration_ms',
    'created_at',
  ]),
  telemetry('library_views', { en: 'Videos watched', ro: 'Filme vizionate' }, [
    'media_id',
    'viewed_at',
    'duration_seconds',
    'created_at',
  ]),
  telemetry('pose_session_metrics', { en: 'Movement in each exercise', ro: 'Mișcarea în fiecare exercițiu' }, [
    'media_id',
    'exercise_id',
    'measured',
    'reason',
    'confidence',
    'side',
    'repetitions',
    'repetitions_to_target',
    'not_visible_ms',
    'range_min_degrees',
    'range_max_degrees',
    'range_mean_degrees',
    'tempo_seconds',
    'symmetry',
    'hold_seconds',
    'created_at',
  ]),
  telemetry('pose_repetitions', { en: 'Each repetition', ro: 'Fiecare repetare' }, [
    'media_id',
    'number',
    'side',
    'start_ms',
    'peak_ms',
    'end_ms',
    'peak_degrees',
    'range_degrees',
    'tempo_seconds',
    'hold_seconds',
    'reached_target',
    'feedback',
    'created_at',
  ]),
  {
    ...telemetry('replay_blobs', { en: 'Recorded movements', ro: 'Mișcări înregistrate' }, [
      'version',
      'bytes',
      'frame_count',
      'batch_count',
      'capture',
      'created_at',
    ]),
    files: 'object_key',
  },
]
