fn main() {
    let sources = ["src/parser.c", "src/scanner.c"];
    cc::Build::new().include("src").files(sources).warnings(false).compile("tree-sitter-pinion");
    sources.iter().for_each(|source| println!("cargo::rerun-if-changed={source}"));
}
