// Pieces of SQL that print names and grants alike in every part of the snapshot.

export const hash = (text: string) => `left(encode(sha256(convert_to(${text}, 'UTF8')), 'hex'), 16)`

export const grantee = `case g.grantee when 0 then 'public' else g.grantee::regrole::text end`

export const privilege = `lower(g.privilege_type) || case when g.is_grantable then ' with grant option' else '' end`

/** A list in an order that does not depend on the locale of the database. */
export const listOf = (item: string, separator = ', ') =>
  `string_agg(${item}, '${separator}' order by ${item} collate "C")`

/** Objects that came with an extension, or were added to one. */
export const MEMBERS = `
  members as (
    select d.classid, d.objid, e.extname as extension, e.extowner as owner
    from pg_depend d join pg_extension e on e.oid = d.refobjid
    where d.refclassid = 'pg_extension'::regclass and d.deptype = 'e')`

/**
 * Nothing to compare: code of the library that the extension installed, called with the caller's rights. Its version may
 * differ between servers, so there is no reference for it; what somebody added to an extension is of another kind.
 */
export const isLibraryCode = (p: string, m: string) =>
  `${m}.extension is not null and ${p}.probin like '$libdir/%' and ${p}.prolang = (select oid from pg_language where lanname = 'c')
      and not ${p}.prosecdef and not ${p}.proleakproof and ${p}.proconfig is null and ${p}.proowner in (${m}.owner, 10)`

/** A view over functions reads no table with its owner's rights. */
export const readsNoRelation = (c: string) => `${c}.relkind = 'v' and not exists (
        select 1 from pg_rewrite w join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = w.oid
        where w.ev_class = ${c}.oid and d.refclassid = 'pg_class'::regclass and d.refobjid <> ${c}.oid)`
