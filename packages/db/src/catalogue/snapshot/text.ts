// Pieces of SQL that print names and grants alike in every part of the snapshot.

export const hash = (text: string) => `left(encode(sha256(convert_to(${text}, 'UTF8')), 'hex'), 16)`

export const grantee = `case g.grantee when 0 then 'public' else g.grantee::regrole::text end`

export const privilege = `lower(g.privilege_type) || case when g.is_grantable then ' with grant option' else '' end`

/** A list in an order that does not depend on the locale of the database. */
export const listOf = (item: string, separator = ', ') =>
  `string_agg(${item}, '${separator}' order by ${item} collate "C")`

/** The extensions of database/roles.sql. Our statements call their members, so each member is compared. */
export const OUR_EXTENSIONS = `('citext', 'pg_trgm', 'unaccent', 'btree_gist', 'btree_gin')`

/** Objects that came with an extension, or were added to one. */
export const MEMBERS = `
  members as (
    select d.classid, d.objid, e.extname as extension, e.extowner as owner, e.extname in ${OUR_EXTENSIONS} as is_ours
    from pg_depend d join pg_extension e on e.oid = d.refobjid
    where d.refclassid = 'pg_extension'::regclass and d.deptype = 'e')`

const IN_PATH = `('pg_catalog'::regnamespace, 'public'::regnamespace)`

/**
 * Nothing to compare: code in the library of an extension that is not ours, called with the caller's rights and by a name
 * that no function of others has, so that no statement of ours means it. PostgreSQL looks into pg_catalog first: what
 * stands there with the same arguments hides a function of the schema public, and not the other way round.
 */
export const isLibraryCode = (p: string, m: string) =>
  `${m}.extension is not null and not ${m}.is_ours and ${p}.probin like '$libdir/%' and ${p}.prolang = (select oid from pg_language where lanname = 'c')
      and not ${p}.prosecdef and not ${p}.proleakproof and ${p}.proconfig is null and ${p}.proowner in (${m}.owner, 10)
      and not exists (
        select 1 from pg_proc o left join members n on n.classid = 'pg_proc'::regclass and n.objid = o.oid
        where o.proname = ${p}.proname and o.pronamespace in ${IN_PATH} and n.extension is distinct from ${m}.extension
          and not (o.pronamespace = 'pg_catalog'::regnamespace and ${p}.pronamespace = 'public'::regnamespace and o.proargtypes = ${p}.proargtypes))`

/** Whether an object is a member of an extension that is not ours; `about` says what else it must be. */
export const ofOtherExtension = (table: string, oid: string, about = 'true') =>
  `exists (select 1 from members m where m.classid = '${table}'::regclass and m.objid = ${oid} and not m.is_ours and ${about})`

/** One of the types came with the same extension: a statement that uses only other types does not mean the object. */
export const aboutOwnType = (...types: string[]) =>
  `exists (select 1 from members n join pg_type y on y.oid = n.objid where n.classid = 'pg_type'::regclass
      and n.extension = m.extension and y.typtype <> 'd' and y.oid >= 16384 and y.oid in (${types.join(', ')}))`

/** A view over functions reads no table with its owner's rights. */
export const readsNoRelation = (c: string) => `${c}.relkind = 'v' and not exists (
        select 1 from pg_rewrite w join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = w.oid
        where w.ev_class = ${c}.oid and d.refclassid = 'pg_class'::regclass and d.refobjid <> ${c}.oid)`
