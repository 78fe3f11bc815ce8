-- Version 1 of the platform's texts. Demonstration text: a lawyer reviews it before real patients read it.
-- org_privacy_notice has none: each clinic publishes its own (see 0007_privacy_notice_template.sql).

insert into consent_purpose_versions (purpose_code, organization_id, version, body_translations) values
('platform_terms', null, 1, jsonb_build_object('en', $text$Terms of use of the platform
(Demonstration text. To be reviewed by a lawyer before use.)

1. What this is. The platform is a tool with which clinics keep records, plan appointments and guide exercises at home. The operator of the platform gives you an account; your clinic gives you care. The platform does not replace a doctor, and it is not made for emergencies. In an emergency call 112.

2. Your account. The account is personal. Keep the means by which you sign in to yourself, and tell us at once if you believe that somebody else uses your account. You may use the platform from the age of 16; below that age a parent or guardian acts for you.

3. What you may expect of us. We keep the platform available and safe with reasonable care, announce planned interruptions where we can, and correct faults that are reported to us. We do not change, sell or read your medical records for purposes of our own.

4. What we expect of you. Enter what is true, respect the rights of others, and do not try to reach data that is not yours or to disturb the service.

5. The end. You may leave a clinic or erase your account at any time, free of charge. Records that a clinic must keep by law stay with that clinic for the legal term. We may close an account that is misused, after telling you why.

6. Changes. When these terms change in substance, we show you the new text and ask you to accept it before you go on. Romanian law applies; your rights as a consumer are not touched.$text$, 'ro', $text$Termenii de utilizare a platformei
(Text demonstrativ. Se verifică de un avocat înainte de folosire.)

1. Ce este. Platforma este un instrument cu care clinicile țin evidența, planifică programări și îndrumă exerciții la domiciliu. Operatorul platformei vă oferă un cont; clinica dumneavoastră vă oferă îngrijirea. Platforma nu înlocuiește medicul și nu este destinată urgențelor. În caz de urgență sunați la 112.

2. Contul dumneavoastră. Contul este personal. Păstrați doar pentru dumneavoastră mijloacele de conectare și anunțați-ne imediat dacă bănuiți că altcineva vă folosește contul. Platforma poate fi folosită de la vârsta de 16 ani; sub această vârstă, în numele dumneavoastră acționează un părinte sau tutore.

3. Ce puteți aștepta de la noi. Menținem platforma disponibilă și sigură cu grijă rezonabilă, anunțăm întreruperile planificate atunci când putem și corectăm defecțiunile care ne sunt semnalate. Nu modificăm, nu vindem și nu citim dosarele dumneavoastră medicale în scopuri proprii.

4. Ce așteptăm de la dumneavoastră. Introduceți date adevărate, respectați drepturile celorlalți și nu încercați să ajungeți la date care nu vă aparțin sau să perturbați serviciul.

5. Încetarea. Puteți părăsi o clinică sau vă puteți șterge contul oricând, gratuit. Documentele pe care o clinică trebuie să le păstreze prin lege rămân la acea clinică pe durata legală. Putem închide un cont folosit abuziv, după ce vă comunicăm motivul.

6. Modificări. Când acești termeni se schimbă în esență, vă arătăm noul text și vă cerem să îl acceptați înainte de a continua. Se aplică legea română; drepturile dumneavoastră de consumator rămân neatinse.$text$)),
('platform_privacy_notice', null, 1, jsonb_build_object('en', $text$Privacy notice of the platform
(Demonstration text. To be reviewed by a lawyer before use.)

1. Who is responsible. For your account (name, e-mail address, language, sign-in) the operator of the platform is the controller. For your medical records each clinic is the controller; the operator only processes them on the clinic's behalf. The clinic's own privacy notice tells you how.

2. What we keep and why. We keep your account data to let you sign in and to show you the clinics where you are a patient, and a log of sign-ins and changes to protect your account. The basis is our legitimate interest in a safe service (Article 6(1)(f) GDPR). We do not show advertisements and we do not build profiles.

3. Who receives it. Providers of hosting and of e-mail, bound by contract, inside the European Economic Area. Nobody else, unless the law compels us.

4. How long. As long as you have an account. When you erase it, your name, address and identifiers are removed; entries of the security log stay without your name for as long as the law requires.

5. Your rights. You may see, correct, export, restrict and erase your data, and object to its processing. Each record shows you who opened it. Write to the operator's data protection officer, or complain to the National Supervisory Authority for Personal Data Processing (www.dataprotection.ro).$text$, 'ro', $text$Nota de informare a platformei
(Text demonstrativ. Se verifică de un avocat înainte de folosire.)

1. Cine răspunde. Pentru contul dumneavoastră (nume, adresă de e-mail, limbă, conectare), operatorul de date este operatorul platformei. Pentru dosarele medicale, operatorul de date este fiecare clinică; operatorul platformei le prelucrează doar în numele clinicii. Nota de informare a clinicii vă spune cum.

2. Ce păstrăm și de ce. Păstrăm datele contului ca să vă puteți conecta și ca să vă arătăm clinicile unde sunteți pacient, precum și un jurnal al conectărilor și modificărilor pentru a vă proteja contul. Temeiul este interesul nostru legitim pentru un serviciu sigur (articolul 6 alineatul (1) litera (f) din RGPD). Nu afișăm reclame și nu creăm profiluri.

3. Cine le primește. Furnizori de găzduire și de e-mail, legați prin contract, din Spațiul Economic European. Nimeni altcineva, cu excepția cazului în care legea ne obligă.

4. Cât timp. Atât timp cât aveți cont. Când îl ștergeți, numele, adresa și identificatorii dumneavoastră sunt eliminați; înregistrările din jurnalul de securitate rămân fără nume atât cât cere legea.

5. Drepturile dumneavoastră. Puteți vedea, corecta, exporta, restricționa și șterge datele și vă puteți opune prelucrării. Fiecare dosar vă arată cine l-a deschis. Scrieți responsabilului cu protecția datelor al operatorului sau depuneți plângere la Autoritatea Națională de Supraveghere a Prelucrării Datelor cu Caracter Personal (www.dataprotection.ro).$text$)),
('org_terms', null, 1, jsonb_build_object('en', $text$Terms of your clinic
(Demonstration text, used until the clinic publishes its own. To be reviewed by a lawyer before use.)

1. The agreement. The clinic examines and treats you and guides your exercises, on site and, where you agree, through this platform. Prices and the extent of each service are told to you before it is given.

2. Your part. Tell your therapist about illnesses, operations, medicines and pain that matter for the treatment. Do exercises at home only as they were shown to you, stop when you feel strong pain, dizziness or shortness of breath, and tell the clinic. In an emergency call 112.

3. Appointments. If you cannot come, cancel at least 24 hours before, so that somebody else can have the time.

4. Records. The clinic keeps your medical records as the law demands. How it treats your data stands in its privacy notice, which you are shown apart from these terms.

5. The end. You may leave the clinic at any time in your account. The clinic may end the agreement for good reason, after telling you where you can continue your treatment.$text$, 'ro', $text$Termenii clinicii dumneavoastră
(Text demonstrativ, folosit până când clinica îl publică pe al ei. Se verifică de un avocat înainte de folosire.)

1. Acordul. Clinica vă examinează, vă tratează și vă îndrumă exercițiile, la sediu și, dacă sunteți de acord, prin această platformă. Prețurile și conținutul fiecărui serviciu vă sunt comunicate înainte.

2. Partea dumneavoastră. Spuneți terapeutului despre bolile, operațiile, medicamentele și durerile care contează pentru tratament. Faceți exercițiile acasă numai așa cum v-au fost arătate, opriți-vă când simțiți durere puternică, amețeală sau lipsă de aer și anunțați clinica. În caz de urgență sunați la 112.

3. Programări. Dacă nu puteți veni, anulați cu cel puțin 24 de ore înainte, pentru ca altcineva să poată folosi ora.

4. Dosarele. Clinica păstrează dosarul dumneavoastră medical așa cum cere legea. Felul în care vă prelucrează datele se află în nota sa de informare, care vă este arătată separat de acești termeni.

5. Încetarea. Puteți părăsi clinica oricând, din contul dumneavoastră. Clinica poate înceta acordul pentru motive întemeiate, după ce vă spune unde puteți continua tratamentul.$text$)),
('marketing_email', null, 1, jsonb_build_object(
'en', 'I agree that my clinic sends me news and offers by e-mail. I can withdraw this at any time; messages about my appointments and treatment come in any case. (Demonstration text, to be reviewed by a lawyer.)',
'ro', 'Sunt de acord să primesc de la clinica mea noutăți și oferte prin e-mail. Pot retrage acordul oricând; mesajele despre programările și tratamentul meu vin oricum. (Text demonstrativ, se verifică de un avocat.)')),
('marketing_sms', null, 1, jsonb_build_object(
'en', 'I agree that my clinic sends me news and offers by SMS to my telephone number. I can withdraw this at any time; reminders of my appointments come in any case. (Demonstration text, to be reviewed by a lawyer.)',
'ro', 'Sunt de acord să primesc de la clinica mea noutăți și oferte prin SMS, la numărul meu de telefon. Pot retrage acordul oricând; mementourile programărilor mele vin oricum. (Text demonstrativ, se verifică de un avocat.)')),
('analytics', null, 1, jsonb_build_object(
'en', 'I agree to optional statistics about how I use the portal (pages opened, device, language). They help to improve it and have no influence on my treatment. I can withdraw this at any time. (Demonstration text, to be reviewed by a lawyer.)',
'ro', 'Sunt de acord cu statistici opționale despre cum folosesc portalul (pagini deschise, dispozitiv, limbă). Ele ajută la îmbunătățirea lui și nu influențează tratamentul meu. Pot retrage acordul oricând. (Text demonstrativ, se verifică de un avocat.)')),
('ai_processing', null, 1, jsonb_build_object(
'en', 'I agree that automated systems evaluate my data to support those who treat me, for example by summaries or proposals. A human decides about my treatment in every case. I can withdraw this at any time without disadvantage for my care. (Demonstration text, to be reviewed by a lawyer.)',
'ro', 'Sunt de acord ca sisteme automate să evalueze datele mele pentru a-i sprijini pe cei care mă tratează, de exemplu prin rezumate sau propuneri. Despre tratamentul meu decide de fiecare dată un om. Pot retrage acordul oricând, fără dezavantaje pentru îngrijirea mea. (Text demonstrativ, se verifică de un avocat.)')),
('telemedicine', null, 1, jsonb_build_object(
'en', 'I agree to consultations by video. I know that they have limits compared with an examination on site, that I need a quiet place and a working connection, and that I may ask for an appointment on site instead. (Demonstration text, to be reviewed by a lawyer.)',
'ro', 'Sunt de acord cu consultații prin video. Știu că ele au limite față de o examinare la sediu, că am nevoie de un loc liniștit și de o conexiune bună și că pot cere în schimb o programare la sediu. (Text demonstrativ, se verifică de un avocat.)')),
('video_recording', null, 1, jsonb_build_object(
'en', 'I agree that video consultations are recorded and kept in my medical record. Each recording is announced before it begins. If I withdraw this, nothing new is recorded. (Demonstration text, to be reviewed by a lawyer.)',
'ro', 'Sunt de acord cu înregistrarea consultațiilor video și cu păstrarea lor în dosarul meu medical. Fiecare înregistrare este anunțată înainte de a începe. Dacă îmi retrag acordul, nu se mai înregistrează nimic nou. (Text demonstrativ, se verifică de un avocat.)')),
('biometric_capture', null, 1, jsonb_build_object(
'en', 'I agree that the camera of my device measures my movement during exercise. The picture stays on my device; only positions of joints are sent, from which repetitions and range of motion are computed. If I withdraw this, I can still exercise without measurement. (Demonstration text, to be reviewed by a lawyer.)',
'ro', 'Sunt de acord ca aparatul de filmat al dispozitivului meu să îmi măsoare mișcarea în timpul exercițiilor. Imaginea rămâne pe dispozitivul meu; se trimit numai pozițiile articulațiilor, din care se calculează repetările și amplitudinea mișcării. Dacă îmi retrag acordul, pot face exerciții și fără măsurare. (Text demonstrativ, se verifică de un avocat.)')),
('telerehab', null, 1, jsonb_build_object(
'en', 'I agree to exercise sessions at home through this platform. The clinic sees when I exercised, which exercises I did, and what I report about effort and pain. I can withdraw this at any time; no new sessions start then. (Demonstration text, to be reviewed by a lawyer.)',
'ro', 'Sunt de acord cu ședințe de exerciții acasă prin această platformă. Clinica vede când am făcut exerciții, ce exerciții am făcut și ce raportez despre efort și durere. Pot retrage acordul oricând; atunci nu mai încep ședințe noi. (Text demonstrativ, se verifică de un avocat.)'))
on conflict (purpose_code, organization_id, version) do nothing;
