// Settings that an administrator can give a role or a database (alter role … set, alter database … set) or the whole
// cluster. Nearly all of them are the operator's own business: memory, planning, timeouts, logging, replication. The few
// below decide who a session is, which rules hold in it, or what a statement means. settings.test.ts holds both lists
// against every setting of PostgreSQL, so that a new one has to be judged.

interface Dangerous {
  reason: string
  /** Values that change nothing, in lower case and without spaces. */
  harmless: readonly string[]
}

const ON = ['on', 'true', 'yes', '1']
const OFF = ['off', 'false', 'no', '0']
const CONTEXT: Dangerous = {
  reason: 'the context of a request: with a value here, a session without a caller acts for somebody',
  harmless: [''],
}
const LIBRARIES: Dangerous = {
  reason: 'loads code into every session',
  harmless: ['', 'auto_explain', 'pg_stat_statements', 'auto_explain,pg_stat_statements'],
}
const DAMAGE: Dangerous = { reason: 'hides damaged pages: rows vanish without an error', harmless: OFF }

export const DANGEROUS: Readonly<Record<string, Dangerous>> = {
  'app.org_id': CONTEXT,
  'app.principal_id': CONTEXT,
  'app.permissions': CONTEXT,
  'app.profile_ids': CONTEXT,
  'app.automation_rule_ids': CONTEXT,
  role: { reason: 'the session acts as another role', harmless: ['none'] },
  session_authorization: { reason: 'the session acts as another login', harmless: [] },
  session_replication_role: {
    reason: 'replica switches triggers and foreign keys off',
    harmless: ['origin', 'local'],
  },
  row_security: { reason: 'without it, statements fail instead of being filtered', harmless: ON },
  search_path: {
    reason: 'decides which table, function or operator a name means',
    harmless: ['"$user",public', '$user,public', 'public', 'public,pg_temp', '"$user",public,pg_temp'],
  },
  allow_system_table_mods: { reason: 'lets catalogues be changed by hand', harmless: OFF },
  lo_compat_privileges: { reason: 'switches the privileges of large objects off', harmless: OFF },
  transform_null_equals: { reason: '“= null” becomes “is null”, also in rules', harmless: OFF },
  array_nulls: { reason: 'null in a list becomes the word NULL', harmless: ON },
  standard_conforming_strings: { reason: 'a backslash in a text becomes an escape', harmless: ON },
  'plpgsql.variable_conflict': {
    reason: 'a name in a function means a column instead of a variable, or the reverse',
    harmless: ['error'],
  },
  default_transaction_isolation: {
    reason: 'rules that take a lock and then count lean on read committed: else they count what was there before',
    harmless: ['readcommitted'],
  },
  gin_fuzzy_search_limit: { reason: 'a search leaves rows out at random', harmless: ['0'] },
  datestyle: {
    reason: 'the server reads dates in the ISO style only',
    harmless: ['iso', 'iso,mdy', 'iso,dmy', 'iso,ymd'],
  },
  intervalstyle: { reason: 'a duration is read or written otherwise', harmless: ['postgres'] },
  extra_float_digits: { reason: 'below 0, numbers are rounded when they are read', harmless: ['0', '1', '2', '3'] },
  local_preload_libraries: LIBRARIES,
  session_preload_libraries: LIBRARIES,
  dynamic_library_path: { reason: 'decides which file is loaded for a library', harmless: ['$libdir'] },
  zero_damaged_pages: DAMAGE,
  ignore_checksum_failure: DAMAGE,
  ignore_system_indexes: DAMAGE,
}

export const DANGEROUS_NAMES: readonly string[] = Object.keys(DANGEROUS)

/** One setting of a role, of a database, of both, or (neither) of the cluster. */
export interface Setting {
  role: string | null
  database: string | null
  name: string
  value: string
}

const list = (names: readonly string[]) => names.map((name) => `'${name}'`).join(', ')
/** Which libraries the configuration file names is for the owner of the machine to say. */
const sessionWide = list(
  DANGEROUS_NAMES.filter((name) => name !== 'role' && name !== 'session_authorization' && !name.includes('librar')),
)
const context = DANGEROUS_NAMES.filter((name) => name.startsWith('app.'))
  .map((name) => `('${name}', current_setting('${name}', true))`)
  .join(', ')

/**
 * What is set for this database and the roles of the platform; then what a session has from elsewhere (the configuration
 * file, alter system): its value before the first "set".
 */
export const SETTINGS = `
  select case when s.setrole = 0 and s.setdatabase = 0 then 'all' else r.rolname end as role, d.datname as database,
    lower(split_part(c, '=', 1)) as name, substr(c, strpos(c, '=') + 1) as value
  from pg_db_role_setting s left join pg_roles r on r.oid = s.setrole left join pg_database d on d.oid = s.setdatabase, unnest(s.setconfig) c
  where (s.setdatabase = 0 or d.datname = current_database())
    and (s.setrole = 0 or r.rolname in ('tendon_owner', 'tendon_definer', 'tendon_app', 'tendon_platform', 'tendon_worker', 'tendon_telemetry'))
    and lower(split_part(c, '=', 1)) in (${list(DANGEROUS_NAMES)})
  union all
  select null, null, lower(name), reset_val from pg_settings where lower(name) in (${sessionWide})
  union all
  select null, null, name, value from (values ${context}) c (name, value) where value is not null`

export function isDangerous({ name, value }: Setting): boolean {
  const found = DANGEROUS[name.toLowerCase()]
  return found !== undefined && !found.harmless.includes(value.toLowerCase().replace(/\s/g, ''))
}

const quote = (name: string) => (/^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`)

/** The statement that takes it back. */
function undo({ role, database, name }: Setting): string {
  const setting = name.split('.').map(quote).join('.')
  if (role === null && database === null)
    return `alter system reset ${setting}, or remove it from postgresql.conf, and reload`
  if (role === null) return `alter database ${quote(database ?? '')} reset ${setting}`
  return `alter role ${quote(role)}${database === null ? '' : ` in database ${quote(database)}`} reset ${setting}`
}

/** Each dangerous setting, with the reason and the statement that undoes it. */
export function dangerousSettings(settings: readonly Setting[]): { object: string; detail: string }[] {
  const found = settings.filter(isDangerous)
  // A session also has what its role or database has: that is named once.
  const given = new Set(found.filter(({ role, database }) => role ?? database).map(({ name }) => name))
  return found
    .filter(({ role, database, name }) => (role ?? database) !== null || !given.has(name))
    .map((setting) => ({
      object: `${setting.name} = '${setting.value}' of ${ownerOf(setting)}`,
      detail: `${DANGEROUS[setting.name]?.reason}. Run: ${undo(setting)}`,
    }))
}

function ownerOf({ role, database }: Setting): string {
  if (role === null) return database === null ? 'every session' : `database ${database}`
  return database === null ? `role ${role}` : `role ${role} in database ${database}`
}
