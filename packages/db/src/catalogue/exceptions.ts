import type { Shape } from './policy-shape.ts'

const SHARED: Shape = { kind: 'shared', commands: ['r'] }
const OWNED: Shape = { kind: 'owned', commands: ['r'] }

/** Tables whose policies also show rows of no organization, or of other organizations, and in which way. */
export const SHAPES: Readonly<Record<string, Shape>> = {
  consent_purpose_versions: SHARED,
  taxonomy_tags: SHARED,
  exercises: SHARED,
  exercise_instructions: SHARED,
  exercise_tags: SHARED,
  exercise_prerequisites: SHARED,
  exercise_contraindications: SHARED,
  exercise_pose_configs: SHARED,
  exercise_bundles: SHARED,
  exercise_bundle_files: SHARED,
  consents: { kind: 'owned', commands: ['r', 'a', 'w'] },
  patient_profiles: OWNED,
  patients: OWNED,
  treatment_plans: OWNED,
  plan_sessions: OWNED,
  session_exercises: OWNED,
  session_runs: OWNED,
  session_run_events: OWNED,
  pain_reports: OWNED,
  session_feedback: OWNED,
  run_manifests: OWNED,
  run_finalisations: OWNED,
  media_session_metrics: OWNED,
  media_item_metrics: OWNED,
  media_buffering_events: OWNED,
  pose_session_metrics: OWNED,
  pose_repetitions: OWNED,
  replay_blobs: OWNED,
  library_views: OWNED,
  appointments: OWNED,
}

/** Rule → object → why the rule does not hold for it. Anything not named here must keep every rule. */
export const EXCEPTIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'rls-forced': {
    migrations: 'which migrations ran; granted to nobody',
    function_files: 'which function files were applied; granted to nobody',
    permissions: 'the catalogue of codes: no tenant data, read-only outside deployments',
    consent_purposes: 'the catalogue of purposes: no tenant data, read-only outside deployments',
    privacy_notice_templates: 'the platform’s text: no tenant data',
    integration_services: 'the catalogue of services: no tenant data, read-only outside deployments',
    plans: 'the price list: no tenant data, read-only outside deployments',
  },
  'policy-tenant': {
    humans_select:
      'people belong to no organization: the caller, those whose membership the caller may see, and for the service the accounts of patients of the clinic in context',
    humans_update: 'people change themselves, whatever organization is in context',
    principals_select: 'the caller, and the service accounts of the organization in context',
    audit_seal_entries_select: 'follows audit_log: the seals of the entries that the caller may see',
    audit_seals_select: 'one chain over all organizations: hashes and counts, no tenant data',
  },
  'policy-function-wrapped': {
    'role_permissions_insert: current_app_holds':
      'asks about the column of each row: nobody grants what they do not hold',
    'organization_memberships_insert: current_app_holds_role': 'as above: nobody gives a role with more than they hold',
    'organization_memberships_update: current_app_holds_role': 'as above',
  },
  'tenant-foreign-key': {
    audit_log_key_id_fkey: 'for the platform, whose organization is null; audit_log_key_fkey binds the rest',
    consents_patient_profile_id_fkey:
      'for the platform’s purposes, whose organization is null; consents_patient_fkey binds the rest',
    organization_memberships_principal_id_fkey:
      'a human belongs to no organization; organization_memberships_check_principal binds service accounts',
    patient_conditions_condition_fkey: 'conditions are shared; patient_conditions_check_condition binds the rest',
    session_exercises_exercise_fkey: 'exercises are shared; session_exercises_check_exercise binds the rest',
    role_permissions_role_fkey:
      'for templates, whose organization is null; role_permissions_organization_fkey binds the rest',
    roles_template_id_fkey: 'a clone names its template, whose organization is null',
    taxonomy_tags_body_region_fkey:
      'the platform’s values or the clinic’s own: bound by taxonomy_tags_check_references',
    taxonomy_tags_parent_fkey: 'as above',
    taxonomy_tags_replaced_by_fkey: 'as above',
    exercises_cloned_from_fkey:
      'of the platform’s or of the clinic’s own: only the service writes it, after lock_exercise_to_clone',
    exercise_instructions_exercise_fkey:
      'exercise_parts_set_organization gives a part the organization of its exercise',
    exercise_pose_configs_exercise_fkey: 'as above',
    exercise_bundles_exercise_fkey: 'as above',
    exercise_bundle_files_bundle_fkey: 'as above',
    exercise_video_uploads_exercise_fkey: 'as above',
    renders_exercise_fkey: 'exercises are shared; renders_check_exercise binds the rest',
    exercise_tags_exercise_fkey: 'as above, by exercise_tags_check_tag',
    exercise_tags_tag_fkey: 'the platform’s values or the clinic’s own: bound by exercise_tags_check_tag',
    exercise_contraindications_exercise_fkey: 'as above, by exercise_contraindications_check_condition',
    exercise_contraindications_condition_fkey: 'as above',
    exercise_prerequisites_exercise_fkey: 'as above, by exercise_prerequisites_check_prerequisite',
    exercise_prerequisites_prerequisite_fkey: 'as above',
  },
}
