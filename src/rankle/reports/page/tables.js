"use strict";
// What every page has: nodes made of text, never of markup, and tables that are sorted by their heads.
const page = (() => {
  function el(tag, text, props) {
    const node = document.createElement(tag);
    if (text !== undefined && text !== null) node.textContent = text;
    return Object.assign(node, props);
  }
  function th(text, scope) {
    const node = el("th", text);
    node.scope = scope;
    return node;
  }

  // --- sorting -------------------------------------------------------------------------------
  // Rows without a value stay at the end, whichever way the others are sorted.
  function compare(a, b, down) {
    const none = (x) => x === null || x === undefined || x === "";
    if (none(a) || none(b)) return none(a) - none(b);
    const order = typeof a === "string" ? a.localeCompare(b, undefined, { numeric: true }) : a - b;
    return down ? -order : order;
  }
  function makeSortable(head, onSort) {
    const label = head.textContent;
    head.textContent = "";
    const button = el("button", label, { type: "button" });
    button.addEventListener("click", () => onSort(head.getAttribute("aria-sort") === "descending"));
    head.append(button);
  }
  function mark(heads, chosen, down) {
    for (const head of heads) head.removeAttribute("aria-sort");
    if (chosen) chosen.setAttribute("aria-sort", down ? "descending" : "ascending");
  }
  for (const table of document.querySelectorAll("table[data-sortable]")) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      if (!head.dataset.sort) return;
      makeSortable(head, (wasDown) => {
        const down = head.hasAttribute("aria-sort") ? !wasDown : head.dataset.sort === "number";
        const value = (row) => {
          const cell = row.cells[column];
          if (head.dataset.sort === "text") return cell.textContent;
          return cell.dataset.value === "" ? null : Number(cell.dataset.value);
        };
        const rows = [...table.tBodies[0].rows].sort((a, b) => compare(value(a), value(b), down));
        table.tBodies[0].append(...rows);
        mark(heads, head, down);
      });
    });
  }
  return { el, th, compare, makeSortable, mark };
})();
