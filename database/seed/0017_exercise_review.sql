-- What a review added to the exercise library. DEMONSTRATION CONTENT, like the library: the sources were named from memory,
-- and a clinician has to compare every statement with them.
--
-- Applied once to each exercise, while its "source" is empty; what an operator changed or removed afterwards stays.

-- Conditions that were missing. A vertebral fracture is T08, because its level is not known here.
insert into taxonomy_tags (axis, slug, icd10_code, body_region_id, name, translations)
select 'condition', seed.slug, seed.icd10_code, regions.id, seed.name, jsonb_build_object('ro', jsonb_build_object('name', ro))
from (values
  ('pregnancy', 'Z33', 'full_body', 'Pregnancy', 'Sarcină'),
  ('multiple_sclerosis', 'G35', 'full_body', 'Multiple sclerosis', 'Scleroză multiplă'),
  ('vertebral_fracture', 'T08', 'upper_back', 'Vertebral fracture', 'Fractură vertebrală'),
  ('coronary_disease', 'I25.9', 'full_body', 'Coronary heart disease', 'Boală coronariană'),
  ('cauda_equina_syndrome', 'G83.4', 'lower_back', 'Cauda equina syndrome', 'Sindrom de coadă de cal')
) as seed (slug, icd10_code, region, name, ro)
join taxonomy_tags regions on regions.axis = 'body_region' and regions.slug = seed.region
on conflict on constraint taxonomy_tags_slug_key do nothing;

-- The parent of kinds of pain from a lumbar nerve root. Its children are set once, when it is created.
do $$
declare
  v_parent uuid;
begin
  insert into taxonomy_tags (axis, slug, icd10_code, body_region_id, name, translations)
    select 'condition', 'lumbar_radiculopathy', 'M54.1', id, 'Lumbar radiculopathy', '{"ro": {"name": "Radiculopatie lombară"}}'
    from taxonomy_tags where axis = 'body_region' and slug = 'lower_back' and organization_id is null
    on conflict on constraint taxonomy_tags_slug_key do nothing
    returning id into v_parent;
  update taxonomy_tags set parent_id = v_parent
    where v_parent is not null and organization_id is null and axis = 'condition'
      and slug in ('sciatica', 'low_back_pain_with_sciatica', 'lumbar_disc_radiculopathy');
end
$$;

-- Texts that were wrong or dated. Only the shipped wording is replaced.
update exercise_contraindications set
  description = 'Begin once treatment with anticoagulants has started and the doctor agrees; then move early.',
  clinical_basis = 'On anticoagulants, early walking and leg movement do not raise the risk of embolism compared with bed rest.',
  translations = '{"ro": {"description": "Începeți după inițierea tratamentului anticoagulant, cu acordul medicului; apoi mișcați-vă devreme.",
    "clinical_basis": "Sub tratament anticoagulant, mersul și mișcarea timpurie nu cresc riscul de embolie față de repausul la pat."}}'
where organization_id is null and tagged_by_principal_id is null and clinical_basis in (
  'Movement of a leg with an untreated clot may loosen it.', 'The pumping calf may loosen an untreated clot.',
  'Stretching and pressing the calf may loosen an untreated clot.');
update exercise_instructions set
  content = 'Lean your back against a smooth wall, feet about 40 cm in front of it and as far apart as your hips.',
  translations = jsonb_set(translations, '{ro,content}',
    '"Sprijiniți spatele de un perete neted, cu tălpile la aproximativ 40 cm în față, depărtate la lățimea șoldurilor."')
where organization_id is null
  and content = 'Lean your back against a smooth wall, feet two steps in front of it and as far apart as your hips.';
update exercise_instructions set
  content = content || ' Numbness between the legs, trouble with bladder or bowel, or weakness of both legs is an emergency: stop and call 112.',
  translations = jsonb_set(translations, '{ro,content}', to_jsonb((translations #>> '{ro,content}') ||
    ' Amorțeala între picioare, tulburările de urinare sau de scaun ori slăbiciunea ambelor picioare sunt o urgență: opriți-vă și sunați la 112.'))
where organization_id is null and content =
  'Pain that withdraws from the leg to the back is a good sign; pain that runs further down is the sign to stop.';

-- sources            name → guideline or textbook
-- condition_sources  condition → its source; every other statement comes from "exercise"
-- doses              exercise, sets, reps, hold, rest (seconds); harder and easier in English, then in Romanian
-- clearances         exercise, condition → what the patient has to be cleared for
-- contraindications  exercises, condition, severity, cleared for, source; what to do and why, in English, then in Romanian
create or replace function pg_temp.review_exercises(p_review jsonb) returns void language plpgsql as $$
declare
  v_slugs constant text[] := array(
    select value ->> 0 from jsonb_array_elements(p_review -> 'doses')
    join exercises on id = md5('exercise library ' || (value ->> 0))::uuid and source is null);
begin
  insert into exercise_contraindications (exercise_id, condition_id, severity, until_cleared_for, source, description, clinical_basis,
      translations)
    select md5('exercise library ' || exercise)::uuid, tags.id, value ->> 2, value ->> 3, p_review #>> array['sources', value ->> 4],
      value ->> 5, value ->> 6,
      jsonb_build_object('ro', jsonb_build_object('description', value -> 7, 'clinical_basis', value -> 8))
    from jsonb_array_elements(p_review -> 'contraindications') with ordinality entries (value, place)
      cross join jsonb_array_elements_text(entries.value -> 0) named (exercise)
      left join taxonomy_tags tags on tags.organization_id is null and tags.axis = 'condition' and tags.slug = value ->> 1
    where exercise = any (v_slugs) order by place
    on conflict on constraint exercise_contraindications_condition_key do nothing;
  update exercise_contraindications c set until_cleared_for = value ->> 2
    from jsonb_array_elements(p_review -> 'clearances'), taxonomy_tags t
    where value ->> 0 = any (v_slugs) and c.exercise_id = md5('exercise library ' || (value ->> 0))::uuid
      and t.id = c.condition_id and t.slug = value ->> 1 and c.tagged_by_principal_id is null and c.stages is null;
  update exercise_contraindications c set source =
      p_review #>> array['sources', coalesce(p_review #>> array['condition_sources', t.slug], 'exercise')]
    from unnest(v_slugs) exercise, taxonomy_tags t
    where c.exercise_id = md5('exercise library ' || exercise)::uuid and t.id = c.condition_id and c.source is null
      and c.tagged_by_principal_id is null;
  update exercise_instructions i set title = titles.en,
      translations = jsonb_set(i.translations, '{ro}', (i.translations -> 'ro') || jsonb_build_object('title', titles.ro))
    from unnest(v_slugs) exercise
      cross join lateral (
        select id, instruction_type, content, row_number() over (partition by instruction_type order by sort_order, id) as place
        from exercise_instructions where exercise_id = md5('exercise library ' || exercise)::uuid) one
      cross join lateral (select
        case when one.instruction_type = 'step' then 'Step ' || one.place
          when one.instruction_type = 'form_cue' then 'Good form'
          when one.instruction_type = 'safety' then 'Your safety'
          when one.content like 'If the camera%' then 'Camera position' else 'Starting position' end as en,
        case when one.instruction_type = 'step' then 'Pasul ' || one.place
          when one.instruction_type = 'form_cue' then 'Execuție corectă'
          when one.instruction_type = 'safety' then 'Siguranța dumneavoastră'
          when one.content like 'If the camera%' then 'Poziția camerei' else 'Poziția de plecare' end as ro) titles
    where i.id = one.id and i.title is null and i.translations ? 'ro';
  update exercises e set source = p_review #>> '{sources,exercise}',
      default_dose = jsonb_strip_nulls(jsonb_build_object('sets', value -> 1, 'reps', value -> 2, 'hold_seconds', value -> 3,
        'rest_seconds', value -> 4)),
      progression = value ->> 5, regression = value ->> 6,
      translations = jsonb_set(e.translations, '{ro}', coalesce(e.translations -> 'ro', '{}')
        || jsonb_build_object('progression', value -> 7, 'regression', value -> 8))
    from jsonb_array_elements(p_review -> 'doses')
    where value ->> 0 = any (v_slugs) and e.id = md5('exercise library ' || (value ->> 0))::uuid;
end
$$;

select pg_temp.review_exercises($json${
"sources": {
 "exercise": "Kisner, Colby, Borstad: Therapeutic Exercise: Foundations and Techniques, 7th edition (2017)",
 "acsm": "ACSM's Guidelines for Exercise Testing and Prescription, 11th edition (2021)",
 "esc": "ESC Guidelines on sports cardiology and exercise in patients with cardiovascular disease (2020)",
 "parkinson": "European Physiotherapy Guideline for Parkinson's Disease (2014)",
 "stroke": "NICE guideline NG236: Stroke rehabilitation in adults (2023)",
 "pregnancy": "ACOG Committee Opinion 804: Physical Activity and Exercise During Pregnancy and the Postpartum Period (2020)",
 "sclerosis": "Kalb and others: Exercise and lifestyle physical activity recommendations for people with multiple sclerosis, Multiple Sclerosis Journal (2020)",
 "bones": "Royal Osteoporosis Society: Strong, Steady and Straight (2018)",
 "red_flags": "Finucane and others: International Framework for Red Flags for Potential Serious Spinal Pathologies, JOSPT (2020)",
 "back": "NICE guideline NG59: Low back pain and sciatica in over 16s (2016, updated 2020)",
 "clot": "CHEST Guideline: Antithrombotic Therapy for VTE Disease (2016)",
 "knee": "APTA guideline: Physical Therapist Management of Total Knee Arthroplasty, Physical Therapy (2020)"},
"condition_sources": {"hypertension": "acsm", "heart_failure": "acsm", "deep_vein_thrombosis": "clot", "osteoporosis": "bones", "hemiplegia": "stroke",
 "lumbar_disc_radiculopathy": "back", "lumbar_disc_herniation": "back", "knee_replacement": "knee"},
"doses": [
["quadriceps-set", 3, 10, 5, 30, "Hold for ten seconds, then go on to the straight leg raise.", "Hold for three seconds with a thicker towel.", "Mențineți zece secunde, apoi treceți la ridicarea piciorului întins.", "Mențineți trei secunde, cu un prosop mai gros."],
["heel-slide", 2, 10, 2, 30, "Pull the heel a little further with a towel.", "Slide only as far as is free of pain.", "Trageți călcâiul puțin mai departe cu un prosop.", "Alunecați numai cât nu doare."],
["straight-leg-raise", 3, 10, 2, 60, "Add an ankle weight of half a kilogram.", "Return to quadriceps sets.", "Adăugați o greutate de jumătate de kilogram la gleznă.", "Reveniți la contracția izometrică a cvadricepsului."],
["short-arc-knee-extension", 3, 10, 3, 60, "Add an ankle weight of half a kilogram.", "Use a smaller roll under the knee.", "Adăugați o greutate de jumătate de kilogram la gleznă.", "Folosiți un rulou mai mic sub genunchi."],
["sit-to-stand", 3, 8, null, 60, "Use a lower chair or hold a weight in front of the chest.", "Use a higher chair and push off with the hands.", "Folosiți un scaun mai jos sau țineți o greutate în fața pieptului.", "Folosiți un scaun mai înalt și împingeți-vă cu mâinile."],
["squat", 3, 10, null, 60, "Hold a weight in front of the chest.", "Go less deep, or sit down on a chair and stand up.", "Țineți o greutate în fața pieptului.", "Coborâți mai puțin sau așezați-vă pe scaun și ridicați-vă."],
["wall-squat-hold", 3, 3, 20, 60, "Hold ten seconds longer.", "Stay higher on the wall and hold for ten seconds.", "Mențineți cu zece secunde mai mult.", "Rămâneți mai sus pe perete și mențineți zece secunde."],
["step-up", 3, 8, null, 60, "Use a higher step.", "Use a lower step and hold the rail.", "Folosiți o treaptă mai înaltă.", "Folosiți o treaptă mai joasă și țineți-vă de balustradă."],
["forward-lunge", 3, 8, null, 60, "Hold weights in the hands.", "Make a shorter step with a hand on a support.", "Țineți greutăți în mâini.", "Faceți un pas mai scurt, cu o mână pe un sprijin."],
["bridge", 3, 10, 3, 60, "Straighten one knee at the top.", "Lift only half as high.", "Întindeți un genunchi în poziția de sus.", "Ridicați numai pe jumătate."],
["clamshell", 3, 12, null, 45, "Put a band round the thighs.", "Open the knees less far.", "Puneți o bandă în jurul coapselor.", "Deschideți genunchii mai puțin."],
["standing-hip-abduction", 3, 10, null, 45, "Put a band round the ankles.", "Do it lying on the back, sliding the leg to the side.", "Puneți o bandă în jurul gleznelor.", "Executați din culcat pe spate, alunecând piciorul în lateral."],
["hip-hinge", 3, 10, null, 60, "Hold a light weight close to the body.", "Lean forward less, with the hands on a table.", "Țineți o greutate ușoară aproape de corp.", "Aplecați-vă mai puțin, cu mâinile pe masă."],
["hip-flexor-stretch", 2, 2, 30, 30, "Raise the arm of the stretched side.", "Stretch standing with a short step.", "Ridicați brațul din partea întinsă.", "Întindeți din picioare, cu un pas scurt."],
["standing-march", 2, 20, null, 45, "Let go of the chair, staying within reach of it.", "March sitting on a chair.", "Dați drumul scaunului, rămânând aproape de el.", "Mărșăluiți din șezut, pe scaun."],
["ankle-pumps", 3, 20, null, 30, "Press the foot against a light band.", "Make smaller movements.", "Împingeți piciorul într-o bandă ușoară.", "Faceți mișcări mai mici."],
["ankle-alphabet", 2, null, 60, 30, "Draw larger letters.", "Draw only half of the alphabet.", "Desenați litere mai mari.", "Desenați numai jumătate din alfabet."],
["calf-stretch", 2, 3, 30, 30, "Move the back foot further away from the wall.", "Stretch sitting, with a towel round the foot.", "Îndepărtați piciorul din spate de perete.", "Întindeți din șezut, cu un prosop în jurul labei piciorului."],
["heel-raise", 3, 12, 2, 45, "Go on to one leg.", "Do it sitting.", "Treceți la un singur picior.", "Executați din șezut."],
["ankle-eversion-band", 3, 12, null, 45, "Use a stronger band.", "Move without the band.", "Folosiți o bandă mai tare.", "Executați mișcarea fără bandă."],
["tandem-stance", 3, 2, 20, 30, "Let go of the support, staying within reach of it.", "Place the feet side by side.", "Dați drumul sprijinului, rămânând aproape de el.", "Așezați tălpile una lângă alta."],
["single-leg-stance", 3, 2, 20, 30, "Turn the head slowly while standing.", "Keep two fingers on a support.", "Rotiți încet capul în timp ce stați.", "Țineți două degete pe un sprijin."],
["heel-to-toe-walk", 2, null, 30, 45, "Walk without touching the wall.", "Leave a gap between the feet.", "Mergeți fără să atingeți peretele.", "Lăsați un spațiu între tălpi."],
["single-leg-heel-raise", 3, 8, null, 60, "Do it from the edge of a step.", "Return to both legs.", "Executați de pe marginea unei trepte.", "Reveniți la ambele picioare."],
["shoulder-pendulum", 2, null, 30, 30, "Make larger circles.", "Support the forearm with the other hand.", "Faceți cercuri mai mari.", "Susțineți antebrațul cu cealaltă mână."],
["assisted-shoulder-flexion", 2, 10, 2, 45, "Help less with the other arm.", "Do it lying on the back.", "Ajutați mai puțin cu celălalt braț.", "Executați din culcat pe spate."],
["scapular-retraction", 3, 10, 5, 30, "Pull against a light band.", "Hold for two seconds.", "Trageți de o bandă ușoară.", "Mențineți două secunde."],
["shoulder-abduction", 3, 10, null, 45, "Hold a light weight.", "Bend the elbow or lift less high.", "Țineți o greutate ușoară.", "Îndoiți cotul sau ridicați mai puțin."],
["shoulder-external-rotation-band", 3, 12, null, 45, "Use a stronger band.", "Push against the wall without moving.", "Folosiți o bandă mai tare.", "Împingeți în perete fără mișcare."],
["band-row", 3, 12, null, 60, "Use a stronger band.", "Use a lighter band or pull less far.", "Folosiți o bandă mai tare.", "Folosiți o bandă mai ușoară sau trageți mai puțin."],
["wall-push-up", 3, 10, null, 60, "Lean on a table instead of the wall.", "Stand closer to the wall.", "Sprijiniți-vă de o masă în loc de perete.", "Stați mai aproape de perete."],
["elbow-flexion", 3, 12, null, 45, "Use a heavier weight.", "Do it without a weight.", "Folosiți o greutate mai mare.", "Executați fără greutate."],
["wrist-flexion-extension", 2, 15, null, 30, "Hold a light weight.", "Help with the other hand.", "Țineți o greutate ușoară.", "Ajutați cu cealaltă mână."],
["eccentric-wrist-extension", 3, 12, null, 60, "Use a heavier weight.", "Lower the hand without a weight.", "Folosiți o greutate mai mare.", "Coborâți mâna fără greutate."],
["tendon-gliding", 2, 10, null, 30, "Squeeze a soft ball at the end.", "Leave out the full fist.", "Strângeți la final o minge moale.", "Renunțați la pumnul complet."],
["pelvic-tilt", 2, 10, 3, 30, "Go on to the bridge.", "Make smaller movements.", "Treceți la pod.", "Faceți mișcări mai mici."],
["knee-to-chest-stretch", 2, 3, 20, 30, "Pull both knees.", "Hold behind the thigh and pull less.", "Trageți ambii genunchi.", "Țineți din spatele coapsei și trageți mai puțin."],
["cat-cow", 2, 10, null, 30, "Move more slowly and breathe with the movement.", "Do it sitting on a chair.", "Mișcați mai încet, odată cu respirația.", "Executați din șezut, pe scaun."],
["prone-press-up", 2, 8, 2, 45, "Stay up for two breaths.", "Come up only onto the forearms.", "Rămâneți sus două respirații.", "Ridicați-vă numai pe antebrațe."],
["bird-dog", 3, 8, 3, 60, "Hold for five seconds longer.", "Stretch only the leg.", "Mențineți cu cinci secunde mai mult.", "Întindeți numai piciorul."],
["dead-bug", 3, 8, null, 60, "Lower arm and leg further.", "Lower only one foot to the floor.", "Coborâți mai mult brațul și piciorul.", "Coborâți pe podea numai un picior."],
["forearm-plank", 3, 2, 20, 60, "Hold ten seconds longer.", "Put the knees on the floor.", "Mențineți cu zece secunde mai mult.", "Puneți genunchii pe podea."],
["seated-thoracic-rotation", 2, 10, 2, 30, "Cross the arms and turn a little further.", "Turn less far.", "Încrucișați brațele și rotiți-vă puțin mai mult.", "Rotiți-vă mai puțin."],
["chin-tuck", 3, 8, 5, 30, "Do it lying, lifting the head a finger's width.", "Do it lying with the head on a pillow.", "Executați din culcat, ridicând capul cât grosimea unui deget.", "Executați din culcat, cu capul pe pernă."],
["neck-rotation", 2, 8, 2, 30, "Stay at the end for five seconds.", "Turn less far.", "Rămâneți la capătul mișcării cinci secunde.", "Rotiți mai puțin."],
["upper-trapezius-stretch", 2, 3, 20, 30, "Lay the hand lightly on the head.", "Tilt the head less.", "Așezați ușor mâna pe cap.", "Înclinați capul mai puțin."],
["neck-isometric", 3, 5, 5, 45, "Press a little more firmly.", "Press with one finger only.", "Apăsați puțin mai ferm.", "Apăsați numai cu un deget."]],
"clearances": [
["heel-slide", "deep_vein_thrombosis", "movement"], ["ankle-pumps", "deep_vein_thrombosis", "movement"], ["calf-stretch", "deep_vein_thrombosis", "movement"],
["squat", "femoral_neck_fracture", "full_load"], ["step-up", "femoral_neck_fracture", "full_load"], ["single-leg-stance", "femoral_neck_fracture", "full_load"],
["forward-lunge", "meniscus_tear", "load"], ["ankle-alphabet", "lateral_malleolus_fracture", "movement"], ["calf-stretch", "achilles_rupture", "stretching"],
["heel-raise", "achilles_rupture", "load"], ["heel-raise", "metatarsal_fracture", "load"], ["single-leg-heel-raise", "achilles_rupture", "full_load"],
["single-leg-heel-raise", "metatarsal_fracture", "full_load"], ["shoulder-abduction", "acromioclavicular_dislocation", "movement"],
["wall-push-up", "scaphoid_fracture", "load"], ["wrist-flexion-extension", "scaphoid_fracture", "movement"], ["forearm-plank", "diastasis_recti", "load"],
["neck-isometric", "rheumatoid_arthritis", "load"]],
"contraindications": [
[["single-leg-stance", "step-up", "forward-lunge"], "parkinsons_disease", "relative", null, "parkinson",
 "Only with somebody beside you, at a time when the medicine works.", "Impaired postural reflexes and freezing make falls likely.",
 "Numai cu cineva alături, când medicamentul își face efectul.", "Reflexele posturale afectate și blocajele fac probabile căderile."],
[["tandem-stance", "heel-to-toe-walk", "standing-march"], "parkinsons_disease", "precaution", null, "parkinson",
 "With a firm hold within reach, at a time when the medicine works.", "Balance training helps, but impaired postural reflexes make falls likely.",
 "Cu un sprijin ferm la îndemână, când medicamentul își face efectul.", "Antrenarea echilibrului ajută, dar reflexele posturale afectate fac probabile căderile."],
[["single-leg-stance", "tandem-stance", "step-up", "forward-lunge", "single-leg-heel-raise"], "hemiplegia", "relative", null, "stroke",
 "Only together with a therapist.", "The weak leg may give way, and balance reactions are slow.",
 "Numai împreună cu un terapeut.", "Piciorul slăbit poate ceda, iar reacțiile de echilibru sunt lente."],
[["wall-squat-hold", "forearm-plank"], "heart_failure", "relative", null, "esc",
 "Only when stable and with the cardiologist's consent; short holds, breathing on.", "Long isometric holds of large muscles raise the pressure against which the heart works.",
 "Numai în stare stabilă și cu acordul cardiologului; mențineri scurte, respirând continuu.", "Menținerile izometrice lungi ale mușchilor mari cresc presiunea împotriva căreia lucrează inima."],
[["quadriceps-set", "neck-isometric", "scapular-retraction"], "heart_failure", "precaution", null, "esc",
 "Short holds, breathing out during each; stop when short of breath.", "Isometric tension raises blood pressure and the load on the heart.",
 "Mențineri scurte, expirând în timpul fiecăreia; opriți-vă la lipsă de aer.", "Încordarea izometrică crește tensiunea arterială și solicitarea inimii."],
[["wall-squat-hold", "forearm-plank"], "coronary_disease", "relative", null, "esc",
 "Only after an exercise test and with the cardiologist's consent; stop at pressure in the chest.", "Long isometric holds raise blood pressure and the oxygen demand of the heart.",
 "Numai după un test de efort și cu acordul cardiologului; opriți-vă la apăsare în piept.", "Menținerile izometrice lungi cresc tensiunea arterială și necesarul de oxigen al inimii."],
[["sit-to-stand", "squat", "step-up", "forward-lunge"], "coronary_disease", "precaution", null, "acsm",
 "Begin lightly with rests; stop at pressure in the chest or shortness of breath.", "Large muscles working together raise the oxygen demand of the heart.",
 "Începeți ușor, cu pauze; opriți-vă la apăsare în piept sau lipsă de aer.", "Mușchii mari care lucrează împreună cresc necesarul de oxigen al inimii."],
[["squat", "hip-hinge"], "hip_replacement", "relative", "load", "exercise",
 "Only within the limits of the surgeon, with the hip bent less than a right angle.", "Deep bending under load can dislocate a new joint.",
 "Numai în limitele stabilite de chirurg, cu șoldul îndoit sub un unghi drept.", "Îndoirea adâncă sub încărcare poate luxa o articulație nouă."],
[["step-up"], "hip_replacement", "precaution", null, "exercise",
 "Begin with a low step and a hand on the rail, once full weight is allowed.", "One leg alone lifts the body, and the muscles round the new joint are still weak.",
 "Începeți cu o treaptă joasă și o mână pe balustradă, după ce încărcarea completă este permisă.", "Un singur picior ridică corpul, iar mușchii din jurul articulației noi sunt încă slabi."],
[["squat"], "knee_replacement", "relative", "load", "knee",
 "Only when full weight is allowed, in a range that is free of pain.", "Bending under load needs strength of the thigh that returns slowly after the operation.",
 "Numai când încărcarea completă este permisă, pe o amplitudine fără durere.", "Îndoirea sub încărcare cere o forță a coapsei care revine lent după operație."],
[["forward-lunge"], "knee_replacement", "relative", "full_load", "knee",
 "Only when squat and step-up are free of pain.", "One leg brakes the body with the knee bent.",
 "Numai când genuflexiunea și urcarea pe treaptă nu dor.", "Un singur picior frânează corpul, cu genunchiul îndoit."],
[["step-up", "hip-hinge"], "knee_replacement", "precaution", null, "knee",
 "Begin with a low load and a hand on a support.", "The thigh is still weak, and the knee may give way.",
 "Începeți cu o încărcare mică și o mână pe un sprijin.", "Coapsa este încă slabă, iar genunchiul poate ceda."],
[["forearm-plank", "prone-press-up"], "pregnancy", "relative", null, "pregnancy",
 "Not lying on the belly; after the first months only with the consent of doctor or midwife.", "The growing belly is pressed, and the stretched abdominal wall carries the load.",
 "Nu din culcat pe burtă; după primele luni numai cu acordul medicului sau al moașei.", "Burta în creștere este apăsată, iar peretele abdominal întins poartă încărcarea."],
[["bridge", "straight-leg-raise", "pelvic-tilt", "dead-bug", "knee-to-chest-stretch"], "pregnancy", "precaution", null, "pregnancy",
 "After the 20th week avoid lying on the back for long; turn to the side when dizzy.", "The womb presses on the large vein and lowers blood pressure.",
 "După săptămâna 20 evitați să stați mult pe spate; întoarceți-vă pe o parte dacă amețiți.", "Uterul apasă pe vena mare și scade tensiunea arterială."],
[["wall-squat-hold"], "pregnancy", "precaution", null, "pregnancy",
 "Short holds, breathing on.", "Holding the breath while tensing raises the pressure on the pelvic floor.",
 "Mențineri scurte, respirând continuu.", "Ținerea respirației în timpul încordării crește presiunea pe planșeul pelvin."],
[["single-leg-stance", "tandem-stance", "heel-to-toe-walk", "forward-lunge"], "multiple_sclerosis", "relative", null, "sclerosis",
 "Only with somebody beside you, not when tired or overheated.", "Weakness, spasticity and disturbed balance make falls likely; heat and fatigue make them worse.",
 "Numai cu cineva alături, nu când sunteți obosit sau supraîncălzit.", "Slăbiciunea, spasticitatea și tulburările de echilibru fac probabile căderile; căldura și oboseala le agravează."],
[["squat", "step-up"], "multiple_sclerosis", "precaution", null, "sclerosis",
 "Few repetitions with long rests, in a cool room.", "Heat and fatigue make symptoms worse for a while.",
 "Puține repetări cu pauze lungi, într-o cameră răcoroasă.", "Căldura și oboseala agravează temporar simptomele."],
[["seated-thoracic-rotation", "knee-to-chest-stretch", "cat-cow"], "vertebral_fracture", "contraindicated", "movement", "bones",
 "Not before the doctor allows bending and turning of the spine.", "Rounding and twisting compress the front of a broken vertebra.",
 "Nu înainte ca medicul să permită îndoirea și rotirea coloanei.", "Rotunjirea și răsucirea comprimă partea din față a vertebrei fracturate."],
[["hip-hinge", "forearm-plank", "dead-bug"], "vertebral_fracture", "contraindicated", "load", "bones",
 "Not before the fracture has healed and load is allowed.", "Bending forward or bracing under load compresses a broken vertebra.",
 "Nu înainte ca fractura să se vindece și încărcarea să fie permisă.", "Aplecarea sau încordarea sub încărcare comprimă vertebra fracturată."],
[["prone-press-up", "pelvic-tilt", "squat"], "vertebral_fracture", "relative", "movement", "bones",
 "Only when the doctor allows it, with small and slow movements.", "Movement of the spine strains a broken vertebra before it has healed.",
 "Numai când medicul permite, cu mișcări mici și lente.", "Mișcarea coloanei solicită vertebra fracturată înainte de vindecare."],
[["prone-press-up", "knee-to-chest-stretch"], "cauda_equina_syndrome", "contraindicated", "movement", "red_flags",
 "An emergency: numb saddle area, disturbed bladder or bowel, weak legs. Refer at once; not before a surgeon allows movement.", "Pressure on the nerves of the cauda equina becomes permanent damage within hours to days.",
 "O urgență: amorțeală în șa, tulburări de urinare sau de scaun, picioare slăbite. Trimiteți imediat; nu înainte ca un chirurg să permită mișcarea.", "Presiunea pe nervii cozii de cal devine leziune permanentă în ore sau zile."]]
}$json$);
