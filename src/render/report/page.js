"use strict";
// Everything that is drawn comes from the file as it is; this script only puts it in its places.
const data = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const rows = [...document.querySelectorAll("#rows text")];
let path = null, shown = [], puzzle = 0, step = 0;

// A path is packed; the browser unpacks it.
async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(stream).text());
}

function say(hash) { if (location.hash !== hash) history.replaceState(null, "", hash); }

async function open(number, at) {
  puzzle = number;
  const one = data.puzzles[number];
  path = await unpack(one.path);
  $("all").hidden = true;
  $("one").hidden = false;
  $("up").hidden = data.puzzles.length < 2;
  $("what").textContent = one.puzzle + (one.note ? "  " + one.note : "");
  $("came").textContent = one.end;
  const names = [...new Set(path.filter((s) => s.name).map((s) => s.name))];
  $("only").replaceChildren(new Option("every technique", ""), ...names.map((n) => new Option(n, n)));
  list();
  show(Math.min(at, path.length - 1));
}

function list() {
  const only = $("only").value, singles = $("singles").checked;
  shown = path.map((_, k) => k).filter((k) => (!only || path[k].name === only) && (singles || !path[k].single));
  $("list").replaceChildren(...shown.map((k) => {
    const item = document.createElement("li"), number = document.createElement("span"), text = document.createElement("span");
    number.textContent = path[k].name ? k + 1 : "";
    text.innerHTML = path[k].head;
    item.append(number, text);
    item.dataset.k = k;
    item.classList.toggle("single", path[k].single);
    return item;
  }));
  mark();
}

function mark() {
  for (const item of $("list").children) {
    if (+item.dataset.k === step) {
      item.setAttribute("aria-current", "step");
      // Only the list is moved, not the page.
      const list = $("list"), top = item.offsetTop - list.offsetTop;
      if (top < list.scrollTop || top + item.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 2;
    } else item.removeAttribute("aria-current");
  }
}

function show(k) {
  step = k;
  const texts = rows.map(() => "");
  for (let i = 0; i <= k; i++) for (const [row, text] of path[i].rows) texts[row] = text;
  rows.forEach((row, i) => { row.textContent = texts[i]; });
  $("below").innerHTML = path[k].below;
  $("above").innerHTML = path[k].above;
  $("says").innerHTML = path[k].says;
  $("keys").innerHTML = path[k].keys;
  $("place").textContent = path[k].name ? `Step ${k + 1} of ${path.length - 1}` : "The end";
  $("back").disabled = k === 0;
  $("ahead").disabled = k === path.length - 1;
  mark();
  say(`#${puzzle + 1}/${k + 1}`);
}

const after = (k, fits) => { for (let i = k + 1; i < path.length; i++) if (fits(i)) return i; return k; };
const before = (k, fits) => { for (let i = k - 1; i >= 0; i--) if (fits(i)) return i; return k; };
const listed = (i) => shown.includes(i), hard = (i) => !path[i].single && listed(i);
const go = {
  ahead: () => show(after(step, listed)), back: () => show(before(step, listed)),
  next: () => show(after(step, hard)), last: () => show(before(step, hard)),
  first: () => show(0), end: () => show(path.length - 1), up: () => all(),
};

function all() {
  if (data.puzzles.length < 2) return;
  path = null;
  $("one").hidden = true;
  $("all").hidden = false;
  say("#");
}

function table() {
  const words = $("find").value.toLowerCase(), uses = $("uses").value, order = $("order").value;
  let rest = data.puzzles.map((_, i) => i).filter((i) => {
    const one = data.puzzles[i];
    return (!uses || one.uses.includes(uses)) && (!words || (one.puzzle + " " + one.note + " " + one.end).toLowerCase().includes(words));
  });
  if (order) rest.sort((a, b) => data.puzzles[b][order] - data.puzzles[a][order] || a - b);
  $("count").textContent = `${rest.length} of ${data.puzzles.length}`;
  $("puzzles").replaceChildren(...rest.map((i) => {
    const one = data.puzzles[i], row = document.createElement("tr");
    row.tabIndex = 0;
    for (const [text, kind] of [[i + 1, "n"], [one.puzzle, "p"], [one.end, ""], [one.steps, "n"], [one.hardest, ""], [one.rating.toLocaleString("en"), "n"]]) {
      const cell = row.insertCell();
      cell.textContent = text;
      cell.className = kind;
    }
    row.onclick = () => open(i, 0);
    row.onkeydown = (e) => { if (e.key === "Enter") open(i, 0); };
    return row;
  }));
}

$("list").onclick = (e) => { const item = e.target.closest("li"); if (item) show(+item.dataset.k); };
$("only").onchange = $("singles").onchange = list;
for (const id of Object.keys(go)) if ($(id)) $(id).onclick = go[id];
document.addEventListener("keydown", (e) => {
  if (!path || e.ctrlKey || e.altKey || e.metaKey || ["INPUT", "SELECT"].includes(e.target.tagName)) return;
  const key = { ArrowRight: "ahead", ArrowLeft: "back", n: "next", p: "last", Home: "first", End: "end", Escape: "up" }[e.key];
  if (key) { go[key](); e.preventDefault(); }
});
if (data.puzzles.length > 1) {
  $("uses").append(...data.names.map((n) => new Option(n, n)));
  $("find").oninput = $("uses").onchange = $("order").onchange = table;
  table();
}
const asked = location.hash.match(/^#(\d+)(?:\/(\d+))?$/);
if (data.puzzles.length && (asked || data.puzzles.length < 2)) open(asked ? Math.min(+asked[1], data.puzzles.length) - 1 : 0, asked && asked[2] ? +asked[2] - 1 : 0);
