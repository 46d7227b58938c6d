"""The style sheet and the script of report.html."""

from __future__ import annotations

STYLE = """
:root{color-scheme:light dark;--bg:#f6f7f9;--card:#fff;--ink:#1b2026;--soft:#647080;--line:#e2e6eb;--accent:#2563c9;
--good:#1a7f4b;--goodbg:#e2f4ea;--bad:#b3261e;--badbg:#fdeceb;--warn:#8a5a00;--warnbg:#fdf3dc;--busy:#2563c9;
--busybg:#e5eefc;--hush:#eceff3}
@media(prefers-color-scheme:dark){:root{--bg:#121519;--card:#1a1f25;--ink:#e4e8ee;--soft:#93a0b0;--line:#2a313a;
--accent:#7eb0ff;--good:#6cd39a;--goodbg:#173527;--bad:#ff8a80;--badbg:#401c1a;--warn:#f1c56b;--warnbg:#3a2e12;
--busy:#7eb0ff;--busybg:#1b2c49;--hush:#242b33}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1320px;padding:28px 24px 60px;background:var(--bg);color:var(--ink);
font:15px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
h1{font-size:26px;margin:0;letter-spacing:-.01em}h2{font-size:16px;margin:0 0 8px}
.sub{color:var(--soft);margin:2px 0 14px;overflow-wrap:anywhere}
a{color:var(--accent);text-decoration:none}a:hover{text-decoration:underline}
small{font-size:.72em;color:var(--soft);font-weight:400}.alarm,.alarm b{color:var(--bad)}
.bar{height:6px;border-radius:3px;background:var(--hush);overflow:hidden;display:flex}
.bar i{display:block;height:100%}.bar .done{background:var(--good)}.bar .failed{background:var(--bad)}
.bar .running{background:var(--busy)}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:12px;margin:16px 0 22px}
.tile{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:12px 16px}
.tile b{display:block;font-size:24px;font-weight:650;font-variant-numeric:tabular-nums;line-height:1.2}
.tile span{display:block}.tile em{display:block;font-style:normal;font-size:12.5px;color:var(--soft);min-height:1.4em}
.badge{display:inline-block;font-size:12.5px;font-weight:600;padding:2px 9px;border-radius:99px;background:var(--hush);
color:var(--soft);white-space:nowrap;vertical-align:middle;letter-spacing:0}
.badge.done,.badge.finished{background:var(--goodbg);color:var(--good)}.badge.skipped{color:var(--good)}
.badge.failed{background:var(--badbg);color:var(--bad)}.badge.stopped{background:var(--warnbg);color:var(--warn)}
.badge.running{background:var(--busybg);color:var(--busy)}
.failures{background:var(--badbg);border-radius:12px;padding:14px 18px;margin-bottom:20px}
.failures ul{margin:0;padding:0;list-style:none}.failures li{padding:4px 0;overflow-wrap:anywhere}
.failures h2{color:var(--bad)}.failures b{margin-right:6px}
.tools{display:flex;gap:14px;align-items:center;margin-bottom:10px}
input{font:inherit;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:9px;
padding:7px 12px;width:min(340px,60vw)}#shown{color:var(--soft);font-size:13.5px}
.wide{overflow-x:auto;background:var(--card);border:1px solid var(--line);border-radius:12px}
table{border-collapse:collapse;width:100%}
th{text-align:left;font-size:13px;color:var(--soft);font-weight:600;padding:9px 10px;white-space:nowrap;
border-bottom:1px solid var(--line)}th button{all:unset;cursor:pointer}th button:hover{color:var(--ink)}
th button:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:3px}
th[aria-sort=ascending] button::after{content:" \\2191"}th[aria-sort=descending] button::after{content:" \\2193"}
td{padding:9px 10px;border-bottom:1px solid var(--line);vertical-align:top}tbody tr:last-child td{border-bottom:0}
tbody tr:hover{background:color-mix(in srgb,var(--accent) 5%,transparent)}
td p{margin:1px 0}.facts{color:var(--soft);font-size:13px}.reason{color:var(--bad);max-width:62ch}
tr.stopped .reason,.remark{color:var(--warn)}.remark{font-size:13px;max-width:70ch}
td b{font-weight:600;overflow-wrap:anywhere}
.num{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
th:nth-child(n+4):not(:last-child){text-align:right}.num .bar{margin-top:5px;min-width:70px}
.pic{width:180px}.pic img,.pic .none{display:block;width:160px;max-height:110px;object-fit:contain;border-radius:7px;
background:#0c0c0c}.pic .none{height:56px;background:var(--hush)}
.links{font-size:13px;min-width:9.5em}.links a{margin-right:5px;display:inline-block}
footer{margin-top:26px;color:var(--soft);font-size:13.5px}.cmd{font-family:ui-monospace,Consolas,monospace;
background:var(--card);border:1px solid var(--line);border-radius:9px;padding:8px 12px;overflow-wrap:anywhere}
details{margin:6px 0}summary{cursor:pointer}dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 18px;
margin:8px 0 8px 16px}dd{margin:0;overflow-wrap:anywhere;color:var(--ink)}
@media(max-width:760px){body{padding:16px 10px}.pic{width:110px}.pic img,.pic .none{width:96px}}
"""

SCRIPT = """
(function(){
var body=document.querySelector('tbody'),rows=[].slice.call(body.rows),box=document.getElementById('filter'),
shown=document.getElementById('shown'),heads=[].slice.call(document.querySelectorAll('th')),
state=new URLSearchParams(location.hash.slice(1));
function keep(){try{history.replaceState(null,'','#'+state)}catch(e){}}
function filter(){var words=box.value.toLowerCase().split(/\\s+/).filter(Boolean),n=0;
rows.forEach(function(r){var t=r.textContent.toLowerCase();
var on=words.every(function(w){return t.indexOf(w)>=0});r.hidden=!on;n+=on});
shown.textContent=n===rows.length?n+(n===1?' clip':' clips'):n+' of '+rows.length+' clips';
state.set('f',box.value);keep()}
function sort(k,down){var text=heads[k].dataset.sort==='t',
compare=new Intl.Collator(undefined,{numeric:true}).compare;
rows.slice().sort(function(a,b){var x=a.cells[k].dataset.v,y=b.cells[k].dataset.v;
return (down?-1:1)*(text?compare(x,y):x-y)}).forEach(function(r){body.appendChild(r)});
heads.forEach(function(h,i){if(i===k)h.setAttribute('aria-sort',down?'descending':'ascending');
else h.removeAttribute('aria-sort')});
state.set('s',k);state.set('d',down?1:0);keep()}
heads.forEach(function(h,k){if(h.dataset.sort)h.querySelector('button').addEventListener('click',function(){
var now=h.getAttribute('aria-sort');sort(k,now?now==='ascending':h.dataset.sort==='n'&&k>2)})});
box.value=state.get('f')||'';box.addEventListener('input',filter);
try{filter();if(state.has('s'))sort(+state.get('s'),state.get('d')==='1')}catch(e){}
if(document.documentElement.dataset.live)setTimeout(function(){location.reload()},4000);
})();
"""
