// Links of a text, with objects that free themselves: links <text
#include <linkglot.h>

#include <iostream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace linkglot {

struct Free {
    void operator()(lg_links *links) const { lg_links_free(links); }
    void operator()(lg_rewritten *rewritten) const { lg_rewritten_free(rewritten); }
};

inline void check(const lg_error &error)
{
    if (error.kind)
        throw std::runtime_error(std::string(error.message, error.message_len));
}

// Links of a text in UTF-8. Views of a link live as long as this.
class Links {
public:
    explicit Links(std::string_view text, const lg_options *options = nullptr)
        : links(lg_find_utf8(text.data(), text.size(), options))
    {
        check(lg_links_error(links.get()));
    }

    std::size_t size() const { return lg_links_len(links.get()); }
    lg_link operator[](std::size_t number) const { return lg_links_at(links.get(), number); }

private:
    std::unique_ptr<lg_links, Free> links;
};

// A callback for `lg_rewriting::choose`: `user` is a function object that maps a reference, or returns an empty string.
template <typename Choose>
void choose(void *user, const lg_candidate *link, lg_answer *answer) noexcept
{
    std::string chosen = (*static_cast<Choose *>(user))(std::string_view(link->reference, link->reference_len));
    if (!chosen.empty())
        lg_answer_set(answer, chosen.data(), chosen.size());
}

template <typename Choose> std::string rewritten(std::string_view text, Choose &by)
{
    lg_rewriting options{};
    options.size = sizeof options;
    options.choose = choose<Choose>;
    options.user = &by;
    auto *bytes = reinterpret_cast<const std::uint8_t *>(text.data());
    std::unique_ptr<lg_rewritten, Free> made(lg_rewrite(bytes, text.size(), &options));
    check(lg_rewritten_error(made.get()));
    std::size_t len;
    auto *content = lg_rewritten_content(made.get(), &len);
    return std::string(reinterpret_cast<const char *>(content), len);
}

} // namespace linkglot

int main()
{
    std::string text(std::istreambuf_iterator<char>(std::cin), {});
    linkglot::Links links(text);
    for (std::size_t i = 0; i < links.size(); i++) {
        lg_link link = links[i];
        std::cout << link.start << "-" << link.end << " " << link.text << " " << link.evidence << " " << link.uri << "\n";
    }
    auto proxied = [](std::string_view reference) {
        bool is_proxied = reference.rfind("https://www.", 0) == 0;
        return is_proxied ? "https://proxy.example/?" + std::string(reference.substr(8)) : std::string();
    };
    std::cout << linkglot::rewritten(text, proxied) << "\n";
    lg_options wrong{};
    try {
        linkglot::Links none(text, &wrong);
    } catch (const std::runtime_error &error) {
        std::cout << "error: " << std::string_view(error.what()).substr(0, 19) << "\n";
    }
}
