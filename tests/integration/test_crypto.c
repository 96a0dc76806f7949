/* crypto: what each mistake gives, inputs that are not kind, and what must differ. */
#include "base/cleanup.h"
#include "harness.h"
#include "hostile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define TIMED_OUT                                                                                \
    "Execution timed out at its 300 ms bound. Do less work per run and return the part that is " \
    "already finished."

static const struct row rows[] = {
    { .name = "a digest is the same for any view and size",
      .code = "async () => { const hex = async (d) => new Uint8Array(await "
              "crypto.subtle.digest('SHA-256', d)).toHex().slice(0, 8); const b = new "
              "TextEncoder().encode('xabc').buffer; return [await hex(new Uint8Array(b, "
              "1)), await hex(new DataView(b, 1)), await hex(new Uint8Array(3 << 20))] }",
      .result = "[\"ba7816bf\",\"ba7816bf\",\"bbd05cf6\"]" },
    { .name = "a buffer that was digested can still be transferred",
      .code = "async () => { const u = new Uint8Array(9); await "
              "crypto.subtle.digest('SHA-1', u); crypto.getRandomValues(u); "
              "u.buffer.transfer(); return u.length }",
      .result = "0" },
    { .name = "a buffer that the algorithm takes away has no bytes",
      .code = "async () => { const u = new Uint8Array(100); const d = await "
              "crypto.subtle.digest({ get name() { u.buffer.transfer(); return 'SHA-256' "
              "} }, u); return new Uint8Array(d).toHex().slice(0, 8) }",
      .result = "\"e3b0c442\"" },
    { .name = "a random UUID is of version 4",
      .code = "async () => { return "
              "/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.tes"
              "t(crypto.randomUUID()) }",
      .result = "true" },
    { .name = "random values fill any array of integers and nothing else",
      .code = "async () => { const name = (a) => { try { return "
              "crypto.getRandomValues(a) === a } catch (e) { return `${e.name}` } }; "
              "const u = new Uint8Array(9); crypto.getRandomValues(u.subarray(3, 6)); "
              "return [name(new BigInt64Array(4)), name(new Uint8Array(65536)), name(new "
              "Uint8Array(65537)), name(new Float64Array(1)), name(new DataView(new "
              "ArrayBuffer(1))), name([1]), u[0] + u[8]] }",
      .result = "[true,true,\"QuotaExceededError\",\"TypeMismatchError\",\"TypeMismatchError\",\""
                "TypeError\",0]" },
    { .name = "nothing of crypto can be constructed",
      .code = "async () => { const name = (C) => { try { new C() } catch (e) { return "
              "e.name } }; return [name(Crypto), name(SubtleCrypto), name(CryptoKey)] }",
      .result = "[\"TypeError\",\"TypeError\",\"TypeError\"]" },
    { .name = "each mistake has its error",
      .code = "async () => { const name = async (f) => { try { return typeof (await f()) "
              "} catch (e) { return e.name } };const { subtle: s } = crypto; const raw = "
              "new Uint8Array(16); const aes = await s.importKey('raw', raw, 'AES-GCM', "
              "false, ['encrypt']); return [await name(() => s.digest('MD5', raw)), "
              "await name(() => s.digest({}, raw)), await name(() => s.encrypt({ name: "
              "'AES-GCM', iv: raw }, aes)), await name(() => s.encrypt({ name: 'AES-GCM' "
              "}, aes, raw)), await name(() => s.encrypt({ name: 'AES-CBC', iv: raw }, "
              "aes, raw)), await name(() => s.decrypt({ name: 'AES-GCM', iv: raw }, aes, "
              "raw)), await name(() => s.exportKey('raw', aes)), await name(() => "
              "s.importKey('raw', raw.slice(1), 'AES-GCM', false, ['encrypt'])), await "
              "name(() => s.importKey('raw', raw, 'AES-GCM', false, [])), await name(() "
              "=> s.importKey('raw', raw, 'AES-GCM', false, ['sign'])), await name(() => "
              "s.importKey('spki', raw, 'AES-GCM', false, ['encrypt'])), await name(() "
              "=> s.generateKey({ name: 'AES-GCM', length: 100 }, false, ['encrypt'])), "
              "await name(() => s.generateKey({ name: 'AES-GCM', length: 70000 }, false, "
              "['encrypt'])), await name(() => s.encrypt.call({}, 'AES-GCM', aes, raw))] "
              "}",
      .result = "[\"NotSupportedError\",\"TypeError\",\"TypeError\",\"TypeError\",\"InvalidAccessEr"
                "ror\",\"InvalidAccessError\",\"InvalidAccessError\",\"DataError\",\"SyntaxError\","
                "\"SyntaxError\",\"NotSupportedError\",\"OperationError\",\"TypeError\",\"TypeError"
                "\"]" },
    { .name = "a changed tag, wrapped key or padding is an OperationError and gives nothing",
      .code = "async () => { const name = async (f) => { try { return typeof (await f()) "
              "} catch (e) { return e.name } };const { subtle: s } = crypto; const iv = "
              "new Uint8Array(16), all = ['encrypt', 'decrypt']; const out = []; for "
              "(const n of ['AES-GCM', 'AES-CBC']) { const k = await s.generateKey({ "
              "name: n, length: 256 }, false, all); const c = new Uint8Array(await "
              "s.encrypt({ name: n, iv }, k, new Uint8Array(100))); c[c.length - 17] ^= "
              "1; c[c.length - 1] ^= 1; out.push(await name(() => s.decrypt({ name: n, "
              "iv }, k, c))) } const kw = await s.generateKey({ name: 'AES-KW', length: "
              "128 }, false, ['wrapKey', 'unwrapKey']); out.push(await name(() => "
              "s.unwrapKey('raw', new Uint8Array(24), kw, 'AES-KW', 'AES-GCM', true, "
              "['encrypt']))); return out }",
      .result = "[\"OperationError\",\"OperationError\",\"OperationError\"]" },
    { .name = "data of any size comes back from a cipher",
      .code = "async () => { const { subtle: s } = crypto; const k = await "
              "s.generateKey({ name: 'AES-CTR', length: 128 }, false, ['encrypt', "
              "'decrypt']); const p = { name: 'AES-CTR', counter: new "
              "Uint8Array(16).fill(255), length: 64 }; for (const n of [0, 1, 15, 16, "
              "17, 32767, 32768, 32769, 200001]) { const data = new "
              "Uint8Array(n).map((_, i) => i * 7); const back = new Uint8Array(await "
              "s.decrypt(p, k, await s.encrypt(p, k, data))); if (back.length !== n || "
              "back.some((b, i) => b !== data[i])) return n } return 'same' }",
      .result = "\"same\"" },
    { .name = "a key does not change with the objects that show it",
      .code = "async () => { const k = await crypto.subtle.generateKey({ name: 'HMAC', "
              "hash: 'SHA-256' }, false, ['sign']); k.algorithm.name = 'x'; "
              "k.algorithm.hash.name = 'SHA-1'; k.usages.push('verify'); const sig = "
              "await crypto.subtle.sign('HMAC', k, new Uint8Array(1)); return "
              "[sig.byteLength, k.algorithm.name, k.algorithm === k.algorithm, await "
              "crypto.subtle.verify('HMAC', k, sig, new Uint8Array(1)).catch((e) => "
              "e.name)] }",
      .result = "[32,\"x\",true,\"InvalidAccessError\"]" },
    { .name = "the name of an algorithm is ASCII in any case, and not what looks like it",
      .code = "async () => { const name = async (f) => { try { return typeof (await f()) "
              "} catch (e) { return e.name } };const { subtle: s } = crypto; return "
              "[await name(() => s.digest('sHa-256', new Uint8Array(1))), await name(() "
              "=> s.importKey('raw', new Uint8Array(1), 'H\\u212aDF', false, "
              "['deriveBits']))] }",
      .result = "[\"object\",\"NotSupportedError\"]" },
    { .name = "JSON Web Keys come back, and malformed ones are a DataError",
      .code = "async () => { const name = async (f) => { try { return typeof (await f()) "
              "} catch (e) { return e.name } };const { subtle: s } = crypto; const alg = "
              "{ name: 'ECDSA', namedCurve: 'P-256' }; const pair = await "
              "s.generateKey(alg, true, ['sign', 'verify']); const jwk = await "
              "s.exportKey('jwk', pair.privateKey); const take = (more) => name(() => "
              "s.importKey('jwk', { ...jwk, ...more }, alg, true, ['sign'])); return "
              "[jwk.kty, jwk.crv, jwk.ext, jwk.key_ops.join(), jwk.d.length, await "
              "take({}), await take({ x: jwk.y }), await take({ d: jwk.d + '=' }), await "
              "take({ d: ' ' + jwk.d }), await take({ crv: 'P-384' }), await take({ kty: "
              "'oct' }), await take({ key_ops: ['verify'] }), await take({ ext: false "
              "}), await take({ alg: 'ES384' }), await take({ d: jwk.d.slice(2) })] }",
      .result =
          "[\"EC\",\"P-256\",true,\"sign\",43,\"object\",\"DataError\",\"DataError\",\"DataError\""
          ",\"DataError\",\"DataError\",\"DataError\",\"DataError\",\"DataError\",\"DataError\"]" },
    { .name = "a wrapped key that is no JSON Web Key is a DataError",
      .code = "async () => { const name = async (f) => { try { return typeof (await f()) "
              "} catch (e) { return e.name } };const { subtle: s } = crypto; const iv = "
              "new Uint8Array(12), gcm = { name: 'AES-GCM', iv }; const k = await "
              "s.generateKey({ name: 'AES-GCM', length: 128 }, false, ['encrypt', "
              "'unwrapKey']); const take = (text) => name(async () => s.unwrapKey('jwk', "
              "await s.encrypt(gcm, k, new TextEncoder().encode(text)), k, gcm, "
              "'AES-GCM', true, ['encrypt'])); return [await take(''), await "
              "take('null'), await take('[]'), await "
              "take('{\"kty\":\"oct\",\"key_ops\":{\"0\":1},\"k\":\"AAAAAAAAAAAAAAAAAAAAAA\"}'), "
              "await take('{\"kty\":\"oct\",\"k\":\"AAAAAAAAAAAAAAAAAAAAAA\"}')] }",
      .result = "[\"DataError\",\"DataError\",\"DataError\",\"DataError\",\"object\"]" },
    { .name = "an iteration count that would take for ever ends on the run clock",
      .code = "async () => { const k = await crypto.subtle.importKey('raw', new "
              "Uint8Array(9), 'PBKDF2', false, ['deriveBits']); return "
              "crypto.subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-512', salt: new "
              "Uint8Array(8), iterations: 2 ** 31 - 1 }, k, 512) }",
      .error = TIMED_OUT,
      .failure = "timeout",
      .timeout_ms = 300 },
    { .name = "a key that takes long to find ends on the run clock",
      .code = "async () => { return crypto.subtle.generateKey({ name: 'RSA-OAEP', "
              "modulusLength: 16384, publicExponent: new Uint8Array([1, 0, 1]), hash: "
              "'SHA-256' }, true, ['encrypt', 'decrypt']) }",
      .error = TIMED_OUT,
      .failure = "timeout",
      .timeout_ms = 300 },
    { .name = "lengths that nobody has memory for are refused",
      .code = "async () => { const name = async (f) => { try { return typeof (await f()) "
              "} catch (e) { return e.name } };const { subtle: s } = crypto; const k = "
              "await s.importKey('raw', new Uint8Array(9), 'HKDF', false, "
              "['deriveBits']); const e = new Uint8Array([1, 0, 1]); return [await "
              "name(() => s.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt: e, info: e "
              "}, k, 2 ** 32 - 8)), await name(() => s.generateKey({ name: 'RSA-PSS', "
              "modulusLength: 2 ** 32 - 1, publicExponent: e, hash: 'SHA-1' }, true, "
              "['sign'])), await name(() => s.generateKey({ name: 'HMAC', hash: 'SHA-1', "
              "length: 2 ** 32 - 1 }, true, ['sign']))] }",
      .result = "[\"RangeError\",\"OperationError\",\"RangeError\"]" },
    { .name = "keys that nobody needs any more do not fill the memory",
      .code = "async () => { for (let i = 0; i < 400; i++) await "
              "crypto.subtle.importKey('raw', new Uint8Array(1 << 20), 'PBKDF2', false, "
              "['deriveBits']); return 'done' }",
      .result = "\"done\"" },
    { .name = "a program that has replaced every function of the language gets the same keys",
      .code = "async () => { const data=new Uint8Array(100000), iv=new Uint8Array(12), "
              "s=crypto.subtle; const list=(...of)=>{of[Symbol.iterator]=each;return "
              "of}, each=Array.prototype[Symbol.iterator], "
              "alg=(name,more)=>({__proto__:null,name,...more}); const "
              "aes=alg('AES-GCM',{length:256}), gcm=alg('AES-GCM',{iv}), "
              "hash={__proto__:null,name:'SHA-256'}; const "
              "u1=list('encrypt','decrypt','wrapKey','unwrapKey'),u2=list('sign','verify')"
              ",u3=list('deriveBits'); const raw=new Uint8Array(32), salt=new "
              "Uint8Array(8); const hm=alg('HMAC',{hash}), "
              "ec=alg('ECDSA',{namedCurve:'P-256'}), ecs=alg('ECDSA',{hash}), "
              "ed=alg('Ed25519'), x=alg('X25519'), "
              "pb=alg('PBKDF2',{hash,salt,iterations:2}), "
              "rs=alg('RSA-PSS',{hash,modulusLength:1024,publicExponent:new "
              "Uint8Array([1,0,1])}), pss=alg('RSA-PSS',{saltLength:8});" REPLACE_EVERYTHING
              "const d=await s.digest(hash,data); const k=await "
              "s.generateKey(aes,true,u1); const c=await s.encrypt(gcm,k,data); const "
              "p=await s.decrypt(gcm,k,c); const h=await "
              "s.importKey('raw',raw,hm,true,u2); const sig=await s.sign(hm,h,data); "
              "const v=await s.verify(hm,h,sig,data); const w=await "
              "s.wrapKey('jwk',h,k,gcm); const h2=await "
              "s.unwrapKey('jwk',w,k,gcm,hm,true,u2); const j=await "
              "s.exportKey('jwk',h2); const e=await s.generateKey(ec,true,u2); const "
              "es=await s.sign(ecs,e.privateKey,data); const ev=await "
              "s.verify(ecs,e.publicKey,es,data); const ej=await "
              "s.exportKey('jwk',e.privateKey); const r=await s.generateKey(rs,true,u2); "
              "const rsig=await s.sign(pss,r.privateKey,data); const rv=await "
              "s.verify(pss,r.publicKey,rsig,data);const der=await "
              "s.exportKey('pkcs8',r.privateKey); const b=await "
              "s.importKey('raw',raw,pb,false,u3); const bits=await "
              "s.deriveBits(pb,b,64); const id=crypto.randomUUID(); "
              "crypto.getRandomValues(raw); const al=r.publicKey.algorithm, "
              "us=r.publicKey.usages; return v && ev && rv && id.length === 36 && "
              "j.k.length === 43 }",
      .result = "true" },
};

/* ---- what differs ---- */

enum { RUNS = 8 };

#define NEW_KEY                                                                                    \
    "const { publicKey } = await crypto.subtle.generateKey({ name: 'Ed25519' }, true, ['sign']);"  \
    "const key = await crypto.subtle.exportKey('raw', publicKey);"                                 \
    "const { privateKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' " \
    "},"                                                                                           \
    " true, ['sign']); const { d } = await crypto.subtle.exportKey('jwk', privateKey);"            \
    "const random = [new Uint8Array(key).toHex(), d, crypto.randomUUID(),"                         \
    " crypto.getRandomValues(new BigUint64Array(1)).toString()];"

/* No two runs have one of the four in common. */
static void expect_different(const struct job *jobs)
{
    char first[RUNS][4][128];

    for (size_t i = 0; i < RUNS; i++) {
        const char *text = cm_run_outcome(jobs[i].run)->result;

        assert_non_null(text);
        assert_int_equal(sscanf(text, "[\"%127[^\"]\",\"%127[^\"]\",\"%127[^\"]\",\"%127[^\"]",
                                first[i][0], first[i][1], first[i][2], first[i][3]),
                         4);
        for (size_t k = 0; k < i; k++)
            for (size_t which = 0; which < 4; which++)
                assert_string_not_equal(first[i][which], first[k][which]);
    }
}

static void keys_and_ids_differ_between_runs_of_one_worker(void **state)
{
    static const char *const settings[] = { "WORKERS_MAX", "1", NULL };
    struct job jobs[RUNS];
    struct host host;

    (void)state;
    host_open(&host, settings);
    for (size_t i = 0; i < RUNS; i++) {
        jobs[i] = (struct job){ .code = "async () => { " NEW_KEY " return random }" };
        host_run(&host, &jobs[i]);
    }
    expect_different(jobs);
    for (size_t i = 0; i < RUNS; i++)
        job_done(&jobs[i]);
    host_close(&host);
}

static void keys_and_ids_differ_between_workers_of_one_zygote(void **state)
{
    static const char *const settings[] = { "WORKERS_MAX", "8", NULL };
    struct job jobs[RUNS];
    pid_t pids[PROCESSES_MAX];
    struct host host;

    (void)state;
    host_open(&host, settings);
    for (size_t i = 0; i < RUNS; i++) {
        jobs[i] = (struct job){ .code = "async () => { " NEW_KEY
                                        " await store.silent(); return random }" };
        host_start(&host, &jobs[i]);
    }
    for (size_t i = 0; i < RUNS; i++)
        host_until_calls(&host, &jobs[i], 1);
    assert_int_equal(host_workers(pids), RUNS);
    for (size_t i = 0; i < RUNS; i++) {
        assert_int_equal(cm_run_answer(jobs[i].run, jobs[i].open[0], "{}", 2), 0);
        host_finish(&host, &jobs[i]);
    }
    expect_different(jobs);
    for (size_t i = 0; i < RUNS; i++)
        job_done(&jobs[i]);
    host_close(&host);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_and_ids_differ_between_runs_of_one_worker),
        cmocka_unit_test(keys_and_ids_differ_between_workers_of_one_zygote),
    };
    static const struct group group = { .name = "crypto",
                                        .rows = rows,
                                        .row_count = CM_ARRAY_LEN(rows),
                                        .tests = tests,
                                        .test_count = CM_ARRAY_LEN(tests) };

    return group_main(argc, argv, &group);
}
